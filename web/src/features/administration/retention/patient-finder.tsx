import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatDate } from '../../../format/dates.ts'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { type PatientToRetain, useFindPatients } from '../../../queries/retention.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import table from '../../../ui/row-table.module.css'
import { RowAct } from '../grid/row-act.tsx'
import { type AskedRetention, RetentionDialog } from './retention-dialog.tsx'
import { retentionIcons } from './retention-row-acts.tsx'
import { patientText } from './retention-cells.tsx'
import style from './retention.module.css'

/** Finds a patient by MRN, to hold the patient or single exams. Nothing of it stands in the address. */
export function PatientFinder() {
  const { account } = useEstablished()
  const [mrn, setMrn] = useState('')
  const [asked, setAsked] = useState<AskedRetention>()
  const find = useFindPatients(account.uuid)
  const { data, variables } = find
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (mrn.trim() && !find.isPending) find.mutate(mrn.trim())
  }
  return (
    <>
      <form className={style.find} aria-label={t('retention.find')} onSubmit={handleSubmit}>
        <TextInput
          label={t('retention.findMrn')}
          description={t('retention.findLead')}
          value={mrn}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setMrn(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!mrn.trim()} loading={find.isPending}>
          {t('retention.findShow')}
        </Button>
      </form>
      {find.isError && <Banner tone="failed">{t('retention.findFailed')}</Banner>}
      {data?.patients.length === 0 && (
        <p className={style.lead} role="status">
          {t('retention.findNobody', { mrn: variables ?? '' })}
        </p>
      )}
      {data?.patients.map((one) => (
        <PatientCard key={one.issuer} patient={one} onAsk={setAsked} onClose={find.reset} />
      ))}
      {asked && (
        <RetentionDialog
          {...asked}
          onDone={() => {
            setAsked(undefined)
            if (variables) find.mutate(variables)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

interface PatientCardProps {
  patient: PatientToRetain
  onAsk: (asked: AskedRetention) => void
  onClose: () => void
}

function PatientCard({ patient, onAsk, onClose }: PatientCardProps) {
  const { dateFormat } = usePreferences()
  const { patientid, issuer, patient_birth_date: born, is_held: isHeld, exams } = patient
  const name = patientText(patient)
  const act = isHeld === 1 ? 'release' : 'hold'
  const aside = [
    formatDate(born, dateFormat),
    issuer ? t('retention.issuer', { issuer }) : t('retention.noIssuer'),
    isHeld === 1 ? t('retention.patientHeld') : '',
  ]
  return (
    <section className={style.patient} aria-label={name}>
      <div className={style.patientHead}>
        <div>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          <p className={style.aside}>{aside.filter(Boolean).join(' · ')}</p>
        </div>
        <div className={style.acts}>
          <Button variant="default" size="xs" onClick={() => onAsk({ act, thing: { patientid, issuer }, name })}>
            {t(isHeld === 1 ? 'retention.act.release' : 'retention.act.holdPatient')}
          </Button>
          <Button variant="subtle" size="xs" onClick={onClose}>
            {t('retention.findPutAway')}
          </Button>
        </div>
      </div>
      {exams.length === 0 ? (
        <p className={style.lead}>{t('retention.noExams')}</p>
      ) : (
        // many exams leave the list of holds below in sight
        <div className={style.found}>
          <ExamTable name={name} exams={exams} onAsk={onAsk} />
        </div>
      )}
    </section>
  )
}

interface ExamTableProps {
  name: string
  exams: PatientToRetain['exams']
  onAsk: (asked: AskedRetention) => void
}

function ExamTable({ name, exams, onAsk }: ExamTableProps) {
  const { dateFormat } = usePreferences()
  return (
    <table className={table.table} aria-label={t('retention.exams', { name })}>
      <thead>
        <tr>
          <th scope="col">{t('retention.date')}</th>
          <th scope="col">{t('retention.description')}</th>
          <th scope="col">{t('retention.place')}</th>
          <th scope="col">{t('retention.keeping')}</th>
          <th scope="col" data-acts>
            <HeardOnly>{t('users.acts')}</HeardOnly>
          </th>
        </tr>
      </thead>
      <tbody>
        {exams.map((exam) => {
          const day = formatDate(exam.study_date, dateFormat)
          const examName = [exam.study_description, day].filter(Boolean).join(', ') || exam.study_uid
          const asked = { thing: { study_id: exam.uuid }, name: examName, lastDay: exam.retain_until }
          const act = exam.is_held === 1 ? 'release' : 'hold'
          return (
            <tr key={exam.uuid}>
              <th scope="row">{day}</th>
              <td>
                <bdi>{exam.study_description}</bdi>
                {exam.is_deleted === 1 && <span className={table.aside}>{t('retention.inBin')}</span>}
              </td>
              <td>
                <bdi>{exam.namespace_name}</bdi>
              </td>
              <td>{retentionText(exam, dateFormat)}</td>
              <td data-acts>
                <div className={table.acts}>
                  <RowAct
                    label={t(`retention.actOn.${act}`, { name: examName })}
                    icon={retentionIcons[act]}
                    onAct={() => onAsk({ act, ...asked })}
                  />
                  <RowAct
                    label={t('retention.actOn.date', { name: examName })}
                    icon={retentionIcons.date}
                    onAct={() => onAsk({ act: 'date', ...asked })}
                  />
                </div>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function retentionText(
  { is_held: isHeld, hold_reason: reason, retain_until: until }: PatientToRetain['exams'][number],
  dateFormat: Parameters<typeof formatDate>[1],
): string {
  const words = [
    isHeld === 1 ? t('retention.examHeld', { reason }) : '',
    until === null ? '' : t('retention.keptThrough', { day: formatDate(until, dateFormat) }),
  ]
  return words.filter(Boolean).join(' · ') || t('retention.keptBy.')
}
