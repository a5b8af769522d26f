import { maxSplitReason } from '@hilum/contract/limits'
import type { Study } from '@hilum/contract/entities/study'
import { Button, NativeSelect } from '@mantine/core'
import type { FormEvent } from 'react'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { valueFaultText } from '../../labels/value-fault.ts'
import { readHeldMrn } from '../../queries/exam-acts.ts'
import { sentChoice, type SplitChoice, type SplitPreview, useSplit } from '../../queries/study-split.ts'
import { Banner } from '../../ui/banner.tsx'
import { CancelButton } from '../../ui/dialog.tsx'
import { comparedFields } from './demographic-table.tsx'
import { HeldMrnQuestion } from './held-mrn-question.tsx'
import style from './separate.module.css'
import { splitFailureText } from './separation-words.ts'

type Field = (typeof comparedFields)[number][0]
const representations: Record<Field, string> = {
  patient_name: 'PN',
  patientid: 'LO',
  patient_birth_date: 'DA',
  patient_sex: 'CS',
  accession_number: 'SH',
  study_description: 'LO',
}

/** Words that a person typed. They outlive the preview, which is read anew with each choice of images. */
interface TypedSeparation {
  values: Partial<Record<Field, string>>
  reason: string
}
export const nothingTyped: TypedSeparation = { values: {}, reason: '' }

interface SeparateFormProps {
  study: Study
  typed: TypedSeparation
  onType: (typed: TypedSeparation) => void
  choice: SplitChoice
  preview: SplitPreview
  /** False while the preview is of another choice, or is read again. */
  isCurrent: boolean
  onCancel: () => void
  onBegun: () => void
}

/** Patient and exam of the new study, filled in from its images, for a person to confirm. */
export function SeparateForm(props: SeparateFormProps) {
  const { study, choice, preview, isCurrent, typed: draft, onType, onCancel, onBegun } = props
  const { values: typed, reason } = draft
  const setTyped = (next: TypedSeparation['values']) => onType({ ...draft, values: next })
  const split = useSplit(study.uuid)
  const came: Record<Field, string> = { ...preview.moves.patient, ...preview.exam }
  const values = Object.fromEntries(
    comparedFields.map(([field]) => [field, (typed[field] ?? came[field]).trim()]),
  ) as Record<Field, string> // each of the fields
  const refused = split.error instanceof ApiFailure && split.error.code === 'INVALID_FIELD' ? split.error.subtype : []
  const faultOf = (field: Field) => {
    if (values[field] !== came[field]) {
      const fault = valueFaultText(values[field], representations[field])
      if (fault) return fault
    }
    return [refused].flat().includes(field) ? t('value.form') : undefined
  }
  const hasFault = comparedFields.some(([field]) => values[field] !== came[field] && faultOf(field))
  const held = readHeldMrn(split.error)
  const begin = (mrnReason?: string) =>
    split.mutate(
      {
        ...sentChoice(choice),
        digest: preview.digest,
        ...values,
        reason: reason.trim(),
        ...(mrnReason ? { mrn_reason: mrnReason } : {}),
      },
      { onSuccess: onBegun },
    )
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isCurrent && !hasFault && !split.isPending) begin()
  }
  const put = (field: Field, value: string) => {
    if (failureCode(split.error) === 'INVALID_FIELD') split.reset()
    setTyped({ ...typed, [field]: value })
  }
  if (held) {
    const handleDecline = () => {
      split.reset()
      setTyped({ ...typed, patientid: came.patientid })
    }
    return (
      <HeldMrnQuestion
        key={split.submittedAt}
        study={{ patient_name: values.patient_name, patientid: came.patientid }}
        held={held}
        onGoOn={begin}
        onDecline={handleDecline}
      />
    )
  }
  return (
    <form className={style.steps} aria-label={t('split.confirm')} noValidate onSubmit={handleSubmit}>
      <div>
        <h3 className={style.heading}>{t('split.confirm')}</h3>
        <p className={style.note}>{t('split.confirmText')}</p>
      </div>
      <div className={style.fields}>
        {comparedFields.map(([field, label]) => (
          <DemographicInput
            key={field}
            field={field}
            label={t(label)}
            came={came[field]}
            value={typed[field] ?? came[field]}
            fault={faultOf(field)}
            onChange={(value) => put(field, value)}
          />
        ))}
      </div>
      <TextInput
        label={t('split.reason')}
        value={reason}
        maxLength={maxSplitReason}
        autoComplete="off"
        onChange={(event) => onType({ ...draft, reason: event.currentTarget.value })}
      />
      {split.isError && (
        <Banner tone={failureCode(split.error) === 'STALE' ? 'priority' : 'failed'}>
          {failureCode(split.error) !== 'STALE' && `${t('split.failed')} `}
          {splitFailureText(split.error)}
        </Banner>
      )}
      <div className={style.buttons}>
        <CancelButton disabled={split.isPending} onCancel={onCancel}>
          {t('button.cancel')}
        </CancelButton>
        <Button type="submit" disabled={!isCurrent || hasFault} loading={split.isPending}>
          {t('split.go', { count: preview.moves.images })}
        </Button>
      </div>
    </form>
  )
}

interface DemographicInputProps {
  field: Field
  label: string
  came: string
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

/** A field in its kind. A date or sex that the images write in no known way is text, so that it is seen and kept. */
function DemographicInput({ field, label, came, value, fault, onChange }: DemographicInputProps) {
  const common = { label, error: fault }
  if (field === 'patient_sex') {
    const choices = [...new Set(['', 'F', 'M', 'O', came])]
    return (
      <NativeSelect
        {...common}
        value={value}
        data={choices.map((one) => ({ value: one, label: one || t('field.none') }))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  const isDate = field === 'patient_birth_date' && /^(\d{8})?$/.test(came)
  return (
    <TextInput
      {...common}
      description={field === 'patient_name' ? t('split.nameForm') : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      type={isDate ? 'date' : 'text'}
      value={isDate ? value.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') : value}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget: { value: next } }) => onChange(isDate ? next.replaceAll('-', '') : next)}
    />
  )
}
