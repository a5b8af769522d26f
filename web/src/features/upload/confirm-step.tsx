import { Checkbox } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { valueFaultText } from '../../labels/value-fault.ts'
import { Banner } from '../../ui/banner.tsx'
import { askAboutPeople, questionsOf, setOnePatient, studyUidsOf, typeCommonMrn } from './confirm-actions.ts'
import { findHindrances } from './confirm-rules.ts'
import tables from './exam-tables.module.css'
import { MrnField } from './mrn-field.tsx'
import { areOnePatient, commonMrn, mrnOf, whyNotOnePatient } from './mrn-rules.ts'
import { RetractedNotes } from './retracted-notes.tsx'
import { findRetracted } from './retracted-rules.ts'
import { UploadPatientRow } from './patient-row.tsx'
import style from './upload.module.css'
import { countFiles, countPatients, studyCountText } from './upload-format.ts'
import { narrowPlan, type PlannedPatient } from './upload-plan.ts'
import { planOf, type UploadState } from './upload-store.ts'

/** A pause in typing after which the destination is asked. */
const ASK_AFTER_MS = 400

/** Step 3: who is uploaded, one row for each patient, with an MRN field each (UPLOAD-07, UPLOAD-08). */
export function ConfirmStep({ state }: { state: UploadState }) {
  const { search, selected, leftOut, destination, onePatient, refusedTries, peopleCheck } = state
  const frame = useRef<HTMLDivElement>(null)
  useQuestions(state)
  useFocusOnFault(frame, refusedTries)
  const whole = planOf(search)
  if (!whole) return null
  const plan = narrowPlan(whole, selected, leftOut)
  const { patients } = plan
  const isSeveral = patients.length > 1
  const isOne = areOnePatient(patients, onePatient)
  const hasTried = refusedTries > 0
  const hindrances = findHindrances(patients, { ...state, namespaceId: destination?.namespaceId ?? '' })
  const lead = {
    studies: studyCountText(plan.studyCount, plan.partCount),
    files: countFiles(plan.fileCount),
    size: formatSize(plan.sizeBytes),
    destination: destination?.name ?? '',
  }
  return (
    <div className={style.confirm} ref={frame}>
      <h2 tabIndex={-1}>{t('upload.confirm.title')}</h2>
      <p className={style.lead}>{t('upload.confirm.lead', lead)}</p>
      {peopleCheck === 'failed' && (
        <div data-fault tabIndex={-1} className={style.outcome}>
          <Banner tone="failed">{t('upload.confirm.notAsked')}</Banner>
        </div>
      )}
      {patients.some(({ key }) => state.typedBefore.has(key)) && (
        <Banner tone="priority">{t('upload.confirm.typeAgain')}</Banner>
      )}
      {isSeveral && (
        <Banner tone="priority">{t('upload.confirm.several', { patients: countPatients(patients.length) })}</Banner>
      )}
      {isSeveral && <OnePatient patients={patients} isOne={isOne} hasLapsed={onePatient !== undefined && !isOne} />}
      {isOne && (
        <MrnField
          label={t('upload.confirm.mrnForAll')}
          isLabelShown
          value={onePatient.mrn}
          error={
            hasTried && commonMrn(patients, state) === ''
              ? t('upload.confirm.mrnMissing')
              : valueFaultText(onePatient.mrn.trim(), 'LO')
          }
          onType={typeCommonMrn}
        />
      )}
      <RetractedNotes studies={findRetracted(patients, state)} answers={state.answers} hasTried={hasTried} />
      <table className={tables.table} data-kind="confirm" aria-label={t('upload.confirm.title')}>
        <thead>
          <tr>
            {(['patient', 'birthDate', 'sex', 'exams', 'files', 'mrn'] as const).map((column) => (
              <th key={column} data-column={column}>
                {t(`upload.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {patients.map((patient) => (
            <UploadPatientRow
              key={patient.key}
              patient={patient}
              mrn={mrnOf(patient, patients, state)}
              typed={state.mrns[patient.key] ?? patient.mrn}
              isMrnShared={isOne}
              hindrances={hindrances}
              answers={state.answers}
              hasTried={hasTried}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Asks the destination about the patients, after each pause in typing. */
function useQuestions(state: UploadState) {
  const asked = [...questionsOf(state).map(({ id }) => id), ...studyUidsOf(state)].join()
  useEffect(() => {
    if (asked === '') return undefined
    const timer = setTimeout(() => void askAboutPeople(), ASK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [asked])
}

/** Upload that may not begin leads to the first field or question that is in its way. */
function useFocusOnFault(frame: React.RefObject<HTMLDivElement | null>, refusedTries: number) {
  useEffect(() => {
    if (refusedTries === 0) return
    frame.current?.querySelector<HTMLElement>('[data-fault], [aria-invalid="true"], [data-open] input')?.focus()
  }, [frame, refusedTries])
}

interface OnePatientProps {
  patients: PlannedPatient[]
  isOne: boolean
  /** The box was ticked for other patients than those shown now. */
  hasLapsed: boolean
}

function OnePatient({ patients, isOne, hasLapsed }: OnePatientProps) {
  const why = whyNotOnePatient(patients)
  const hint = hasLapsed ? 'upload.confirm.onePatientAgain' : 'upload.confirm.onePatientHint'
  return (
    <Checkbox
      className={style.onePatient}
      label={t('upload.confirm.onePatient')}
      description={why ? t(`upload.confirm.notOne.${why}`) : t(hint)}
      disabled={why !== undefined}
      checked={isOne}
      onChange={(event) => setOnePatient(patients, event.currentTarget.checked)}
    />
  )
}
