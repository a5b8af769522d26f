import { NativeSelect } from '@mantine/core'
import { formatDate, readTypedDate, writtenFormat } from '../../format/dates.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { type ExamField, type ExamForm, findExamFaults, requiredFields } from './exam-form.ts'
import type { OtherFiles } from './other-files.ts'
import { checkField, termsOf, typeExam } from './other-files-actions.ts'
import style from './other-files.module.css'

const genders = ['', 'female', 'male', 'other'] as const

/** Patient and exam of files that are no DICOM (ENTITY-21), checked at every event (UPLOAD-18). */
export function ExamFields({ other }: { other: OtherFiles }) {
  const { exam, changed, refusedNexts, dateFormat } = other
  const faults = findExamFaults(exam, termsOf(other))
  const field = (name: ExamField) => {
    const fault = faults[name]
    return {
      size: 'sm' as const,
      name,
      label: t(`upload.form.${name}`),
      required: requiredFields.has(name),
      value: exam[name],
      error: fault && (changed.has(name) || refusedNexts > 0) ? t(`upload.form.fault.${fault}`) : undefined,
      inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
      autoComplete: 'off',
      onBlur: () => checkField(name),
    }
  }
  const text = (name: Exclude<ExamField, 'patientGender'>) => ({
    ...field(name),
    onChange: (event: { currentTarget: { value: string } }) => typeExam(name, event.currentTarget.value),
  })
  const day = (name: 'patientDOB' | 'studyDate') => {
    const read = readTypedDate(exam[name], dateFormat)
    const words = typeof read === 'object' ? formatDate(read.day, writtenFormat) : undefined
    return { ...text(name), description: words, placeholder: dateFormat, inputMode: 'numeric' as const }
  }
  return (
    <form
      className={style.form}
      aria-label={t('upload.form.name')}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <fieldset className={style.part}>
        <legend>{t('upload.form.patient')}</legend>
        <TextInput {...text('lastName')} />
        <div className={style.pair}>
          <TextInput {...text('firstName')} />
          <TextInput {...text('middleName')} />
        </div>
        <div className={style.pair}>
          <TextInput {...day('patientDOB')} />
          <NativeSelect
            {...field('patientGender')}
            data={genders.map((value) => ({ value, label: t(`upload.form.gender.${value}`) }))}
            onChange={(event) => typeExam('patientGender', readGender(event.currentTarget.value))}
          />
        </div>
        <TextInput {...text('patientMRN')} spellCheck={false} />
      </fieldset>
      <fieldset className={style.part}>
        <legend>{t('upload.form.exam')}</legend>
        <div className={style.pair}>
          <TextInput {...day('studyDate')} />
          <TextInput {...text('studyTime')} placeholder={t('upload.form.timeShape')} />
        </div>
        <TextInput {...text('studyDescription')} />
      </fieldset>
    </form>
  )
}

const readGender = (value: string): ExamForm['patientGender'] => genders.find((one) => one === value) ?? ''
