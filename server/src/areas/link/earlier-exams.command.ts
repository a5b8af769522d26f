import { compareIdentities } from '@hilum/dicom/identity'
import { foldText } from '@hilum/dicom/person-name'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import { openStudyRecord } from '../../access/study-access.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import { findPatient, listCandidates } from '../study/related.sql.ts'

/** Records looked at for each of MRN, name and birth date. */
const maxCandidates = 200

/**
 * Earlier exams of the same patient in the same place, the newest first, by the rules by which the panel calls two
 * patients the same; who is only alike is left out. Without a date an exam is earlier than none.
 * @param most records at most
 */
export async function listEarlierExams(
  db: Db,
  caller: Caller,
  record: StudyRecord,
  most: number,
): Promise<StudyRecord[]> {
  const patient = await findPatient(db, record)
  if (!patient) return []
  const scope = await visibleStudies(caller)
  const candidates = await listCandidates(db, scope, patient, foldText(patient.patient_name), maxCandidates)
  const earlier = candidates.filter(
    (one) =>
      one.phi_namespace === record.phi_namespace &&
      one.study_date !== '' &&
      one.study_date <= patient.study_date &&
      compareIdentities(asIdentity(patient), asIdentity(one)).verdict === 'same',
  )
  const found: StudyRecord[] = []
  for (const { uuid } of earlier.slice(0, most))
    found.push((await openStudyRecord(db, caller, { uuid }, 'makeLinks')).record)
  return found
}
