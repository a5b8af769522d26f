import { Checkbox, TextInput } from '@mantine/core'
import { formatSize } from '../../format/file-size.ts'
import { formatDate } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import tables from './exam-tables.module.css'
import style from './upload.module.css'
import { countFiles, countPatients, countStudies, longDate, patientName, sexText } from './upload-format.ts'
import { narrowPlan, type PlannedPatient } from './upload-plan.ts'
import type { UploadState } from './upload-store.ts'
import { setOnePatient, typeMrn } from './wizard-actions.ts'
import { commonMrn, mrnOf, whyNotOnePatient } from './wizard-rules.ts'

/** Step 3: who is uploaded, one row for each patient, with an MRN field each (UPLOAD-07, UPLOAD-08). */
export function ConfirmStep({ state }: { state: UploadState }) {
  const { search, selected, destination, isOnePatient, mrns, hasTriedToUpload } = state
  if (search.kind !== 'found') return null
  const plan = narrowPlan(search.exams.plan, selected)
  const { patients } = plan
  const isSeveral = patients.length > 1
  const lead = {
    studies: countStudies(plan.studyCount),
    files: countFiles(plan.fileCount),
    size: formatSize(plan.sizeBytes),
    destination: destination?.name ?? '',
  }
  return (
    <>
      <h2 tabIndex={-1}>{t('upload.confirm.title')}</h2>
      <p className={style.lead}>{t('upload.confirm.lead', lead)}</p>
      {isSeveral && (
        <Banner tone="priority">{t('upload.confirm.several', { patients: countPatients(patients.length) })}</Banner>
      )}
      {isSeveral && <OnePatient patients={patients} isOnePatient={isOnePatient} />}
      {isSeveral && isOnePatient && (
        <MrnField
          label={t('upload.confirm.mrnForAll')}
          isLabelShown
          value={commonMrn(patients, mrns)}
          isMissing={hasTriedToUpload && commonMrn(patients, mrns) === ''}
          onType={(mrn) =>
            typeMrn(
              patients.map((patient) => patient.key),
              mrn,
            )
          }
        />
      )}
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
            <PatientRow
              key={patient.key}
              patient={patient}
              mrn={mrns[patient.key] ?? patient.mrn}
              isMissing={hasTriedToUpload && isSeveral && mrnOf(patient, mrns) === ''}
              isMrnShared={isSeveral && isOnePatient}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}

function OnePatient({ patients, isOnePatient }: { patients: PlannedPatient[]; isOnePatient: boolean }) {
  const why = whyNotOnePatient(patients)
  return (
    <Checkbox
      className={style.onePatient}
      label={t('upload.confirm.onePatient')}
      description={why ? t(`upload.confirm.notOne.${why}`) : t('upload.confirm.onePatientHint')}
      disabled={why !== undefined}
      checked={isOnePatient && why === undefined}
      onChange={(event) => setOnePatient(patients, event.currentTarget.checked)}
    />
  )
}

interface RowProps {
  patient: PlannedPatient
  mrn: string
  isMissing: boolean
  isMrnShared: boolean
}

function PatientRow({ patient, mrn, isMissing, isMrnShared }: RowProps) {
  const { dateFormat } = usePreferences()
  const name = patientName(patient.name)
  const isChanged = mrn.trim() !== patient.mrn
  const files = patient.studies.reduce((count, study) => count + study.fileCount, 0)
  return (
    <tr>
      <td className={tables.big}>{name}</td>
      <td className={tables.big}>
        {longDate(patient.birthDate)}
        <div className={style.hint}>{formatDate(patient.birthDate, dateFormat) || t('upload.select.noBirthDate')}</div>
      </td>
      <td>{sexText(patient.sex)}</td>
      <td>{countStudies(patient.studies.length)}</td>
      <td>{countFiles(files)}</td>
      <td>
        {isMrnShared ? (
          <span>{mrn}</span>
        ) : (
          <MrnField
            label={t('upload.confirm.mrnOf', { name })}
            value={mrn}
            isMissing={isMissing}
            onType={(typed) => typeMrn([patient.key], typed)}
          />
        )}
        {isChanged && (
          <div className={style.hint}>
            {t('upload.confirm.mrnChanged', { mrn: patient.mrn || t('upload.confirm.mrnNone') })}
          </div>
        )}
      </td>
    </tr>
  )
}

interface MrnProps {
  label: string
  value: string
  isMissing: boolean
  isLabelShown?: boolean
  onType: (mrn: string) => void
}

/** 64 characters: the longest that a DICOM patient ID may have (PS3.5 §6.2, VR LO). */
function MrnField({ label, value, isMissing, isLabelShown, onType }: MrnProps) {
  return (
    <TextInput
      className={tables.mrn}
      aria-label={isLabelShown ? undefined : label}
      label={isLabelShown ? label : undefined}
      value={value}
      maxLength={64}
      error={isMissing ? t('upload.confirm.mrnMissing') : undefined}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  )
}
