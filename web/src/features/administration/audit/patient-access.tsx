import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { nameText } from '../../../format/person-name.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type PatientQuestion, type PatientReport, usePatientReport } from '../../../queries/audit.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import style from './audit.module.css'
import { AccessReport } from './access-report.tsx'

/** Asks for one patient by MRN, and shows who saw the patient's exams. Nothing of it stands in the address. */
export function PatientAccess() {
  const { account } = useEstablished()
  const report = usePatientReport(account.uuid)
  const [question, setQuestion] = useState<PatientQuestion>({
    mrn: '',
    issuer: undefined,
    from: '',
    to: '',
    isAll: false,
  })
  const mrn = question.mrn.trim()
  const ask = (asked: PatientQuestion) => {
    setQuestion(asked)
    if (asked.mrn.trim()) report.mutate({ ...asked, mrn: asked.mrn.trim() })
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    ask({ ...question, issuer: undefined })
  }
  const { data, variables } = report
  return (
    <>
      <p className={style.lead}>{t('audit.patientLead')}</p>
      <p className={style.lead}>{t('audit.patientCovers')}</p>
      <form className={style.filter} aria-label={t('audit.view.patient')} onSubmit={handleSubmit}>
        <TextInput
          label={t('audit.mrn')}
          value={question.mrn}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setQuestion({ ...question, mrn: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t('audit.from')}
          value={question.from}
          onChange={(event) => setQuestion({ ...question, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t('audit.to')}
          value={question.to}
          onChange={(event) => setQuestion({ ...question, to: event.currentTarget.value })}
        />
        <Checkbox
          label={t('audit.patientAll')}
          checked={question.isAll}
          onChange={(event) => setQuestion({ ...question, isAll: event.currentTarget.checked })}
        />
        <Button type="submit" disabled={!mrn} loading={report.isPending}>
          {t('audit.patientShow')}
        </Button>
      </form>
      {report.isPending && <LoadingState label={t('loading')} />}
      {report.isError && <Banner tone="failed">{t('audit.patientFailed')}</Banner>}
      {data?.patients.length === 0 && data.earlier.length === 0 && (
        <p className={style.lead} role="status">
          {t('audit.patientUnknown', { mrn: variables?.mrn ?? '' })}
        </p>
      )}
      {data && variables && data.patients.length > 1 && (
        <PatientChoice
          patients={data.patients}
          issuer={variables.issuer}
          onChoose={(issuer) => ask({ ...variables, issuer })}
        />
      )}
      {data && variables && data.patients.length + data.earlier.length > 0 && (
        <AccessReport key={report.submittedAt} report={data} question={variables} />
      )}
    </>
  )
}

interface PatientChoiceProps {
  patients: PatientReport['patients']
  issuer: string | undefined
  onChoose: (issuer: string | undefined) => void
}

const every = '-every'

/** The choice among several patients of one MRN. */
function PatientChoice({ patients, issuer, onChoose }: PatientChoiceProps) {
  return (
    <NativeSelect
      label={t('audit.patientWhich')}
      value={issuer === undefined ? every : `=${issuer}`}
      data={[
        { value: every, label: patients.map(({ patient_name: name }) => nameText(name)).join(' · ') },
        ...patients.map((one) => ({
          value: `=${one.issuer}`,
          label: [nameText(one.patient_name), one.issuer].filter(Boolean).join(' · ') || t('field.none'),
        })),
      ]}
      onChange={(event) => {
        const { value } = event.currentTarget
        onChoose(value === every ? undefined : value.slice(1))
      }}
    />
  )
}
