import { formatDate } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { valueFaultText } from '../../labels/value-fault.ts'
import { usePreferences } from '../../session/preferences.ts'
import { ClashNotes, clashText } from './clash-notes.tsx'
import { typeMrn } from './confirm-actions.ts'
import type { Hindrances } from './confirm-rules.ts'
import tables from './exam-tables.module.css'
import { MrnField } from './mrn-field.tsx'
import style from './upload.module.css'
import { countFiles, studyCountText, longDate, patientName, sexText } from './upload-format.ts'
import { countParts, type PlannedPatient } from './upload-plan.ts'

interface Props {
  patient: PlannedPatient
  /** The MRN that the upload would leave. */
  mrn: string
  /** Text in the patient's own field, blanks included. */
  typed: string
  isMrnShared: boolean
  hindrances: Hindrances
  answers: ReadonlySet<string>
  hasTried: boolean
}

/** One patient of the confirm step, and below it whoever has the same MRN. */
export function UploadPatientRow({ patient, mrn, typed, isMrnShared, hindrances, answers, hasTried }: Props) {
  const { dateFormat } = usePreferences()
  const name = patientName(patient.name)
  const files = patient.studies.reduce((count, study) => count + study.fileCount, 0)
  const isMissing = hasTried && hindrances.missing.includes(patient.key)
  const isBlocked = hindrances.blocked.has(patient.key)
  const clash = isBlocked ? clashText(patient, hindrances) : undefined
  const fault = hindrances.unwritable.includes(patient.key) ? valueFaultText(mrn, 'LO') : undefined
  return (
    <>
      <tr>
        <td className={tables.big}>{name}</td>
        <td className={tables.big}>
          {longDate(patient.birthDate)}
          <div className={style.hint}>
            {formatDate(patient.birthDate, dateFormat) || t('upload.select.noBirthDate')}
          </div>
        </td>
        <td>{sexText(patient.sex)}</td>
        <td>{studyCountText(patient.studies.length, countParts(patient.studies))}</td>
        <td>{countFiles(files)}</td>
        <td>
          {isMrnShared ? (
            <span>{mrn}</span>
          ) : (
            <MrnField
              label={t('upload.confirm.mrnOf', { name })}
              value={typed}
              error={isMissing ? t('upload.confirm.mrnMissing') : (fault ?? clash)}
              onType={(text) => typeMrn(patient.key, text)}
            />
          )}
          {mrn !== patient.mrn.trim() && (
            <div className={style.hint}>
              {t('upload.confirm.mrnChanged', { mrn: patient.mrn || t('upload.confirm.mrnNone') })}
            </div>
          )}
        </td>
      </tr>
      <ClashNotes row={patient} mrn={mrn} hindrances={hindrances} answers={answers} hasTried={hasTried} />
    </>
  )
}
