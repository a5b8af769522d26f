import { Checkbox } from '@mantine/core'
import { memo, useDeferredValue } from 'react'
import { formatCount, formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import tables from './exam-tables.module.css'
import { SkippedList } from './skipped-list.tsx'
import { UploadStudyRow } from './study-row.tsx'
import style from './upload.module.css'
import { birthDateText, countFiles, studyCountText, patientName, sexText } from './upload-format.ts'
import { listStudies, narrowPlan, type PlannedPatient } from './upload-plan.ts'
import type { UploadState } from './upload-store.ts'
import { selectStudies } from './wizard-actions.ts'

/** Patients that are drawn before the page answers again. */
const drawnAtOnce = 20
const none: readonly PlannedPatient[] = []

const columns = ['date', 'modality', 'description', 'accession', 'series', 'files', 'size', 'status'] as const

/** Step 2: the studies that were found, a table for each patient, each study selectable (UPLOAD-05). */
export function SelectStep({ state }: { state: UploadState }) {
  const { search, selected, alreadyHere, source } = state
  const patients = search.kind === 'found' ? search.exams.plan.patients : none
  // The first ones stand at once; the rest is drawn in pieces between what the person does.
  const drawn = useDeferredValue(patients, patients.slice(0, drawnAtOnce))
  if (search.kind !== 'found') return null
  const { plan, skipped } = search.exams
  const chosen = narrowPlan(plan, selected)
  const uids = listStudies(plan).map((study) => study.studyUid)
  const summary = {
    selected: formatCount(chosen.studyCount),
    studies: studyCountText(plan.studyCount),
    files: countFiles(chosen.fileCount),
    size: formatSize(chosen.sizeBytes),
  }
  return (
    <>
      <h2 tabIndex={-1}>{t('upload.select.title')}</h2>
      {source.isPartial && <Banner tone="priority">{t('upload.interrupted.changed')}</Banner>}
      <SkippedList skipped={skipped} />
      <div className={tables.selectAll}>
        <Checkbox
          label={t('upload.select.all')}
          checked={chosen.studyCount === plan.studyCount}
          indeterminate={chosen.studyCount > 0 && chosen.studyCount < plan.studyCount}
          onChange={(event) => selectStudies(uids, event.currentTarget.checked)}
        />
        <span className={style.numbers} role="status">
          {t('upload.select.summary', summary)}
        </span>
      </div>
      {/* Seen once above all patients; a screen reader is told the columns of each table. */}
      <table className={`${tables.table} ${tables.commonHead}`} aria-hidden="true">
        <ColumnHeads />
      </table>
      {drawn.map((patient) => (
        <PatientStudies
          key={patient.key}
          patient={patient}
          ticks={patient.studies.map(({ studyUid }) => (selected.has(studyUid) ? '1' : '0')).join('')}
          alreadyHere={alreadyHere}
        />
      ))}
    </>
  )
}

interface PatientStudiesProps {
  patient: PlannedPatient
  /** Of each study of the patient, in order, whether it is selected: 1 or 0. */
  ticks: string
  alreadyHere: UploadState['alreadyHere']
}

/** Drawn anew only when something of this patient changes: a tick among a thousand studies is seen at once. */
const PatientStudies = memo(function PatientStudies({ patient, ticks, alreadyHere }: PatientStudiesProps) {
  const { dateFormat } = usePreferences()
  const name = patientName(patient.name)
  const uids = patient.studies.map((study) => study.studyUid)
  const chosen = ticks.replaceAll('0', '').length
  return (
    <section className={tables.patient}>
      <div className={tables.patientHead}>
        <Checkbox
          aria-label={t('upload.select.patient', { name })}
          checked={chosen === uids.length}
          indeterminate={chosen > 0 && chosen < uids.length}
          onChange={(event) => selectStudies(uids, event.currentTarget.checked)}
        />
        <h3 className={tables.name}>{name}</h3>
        <span className={tables.facts}>
          {[birthDateText(patient.birthDate, dateFormat), sexText(patient.sex), patient.mrn || t('upload.select.noMrn')]
            .filter((fact) => fact !== '')
            .join(' · ')}
        </span>
      </div>
      <table className={tables.table} aria-label={t('upload.select.tableOf', { name })}>
        <ColumnHeads />
        <tbody>
          {patient.studies.map((study, index) => (
            <UploadStudyRow
              key={study.studyUid}
              study={study}
              isSelected={ticks[index] === '1'}
              here={alreadyHere.get(study.studyUid)}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
})

function ColumnHeads() {
  return (
    <thead>
      <tr>
        <th aria-label={t('upload.column.select')} />
        {columns.map((column) => (
          <th key={column} data-column={column}>
            {t(`upload.column.${column}`)}
          </th>
        ))}
      </tr>
    </thead>
  )
}
