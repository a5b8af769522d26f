import { mayDo } from '@hilum/contract/acts'
import type { PriorWithheld } from '@hilum/contract/calls/link'
import { compareIdentities } from '@hilum/dicom/identity'
import { foldId } from '@hilum/dicom/fold-id'
import { foldText } from '@hilum/dicom/person-name'
import type { Caller } from '../../access/caller.ts'
import { listRecordsByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import { seeRecord } from '../../access/study-access.ts'
import { visibleStudies } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import { asIdentity } from '../storage/compared-patient.ts'
import { findPatient, listCandidates, type PatientRow } from '../study/related.sql.ts'
import type { LinkableStudy } from './link.sql.ts'

/** Records looked at for each of MRN, name and birth date. */
const maxCandidates = 1000

/** Earlier exams of a patient; `more` where not all of whom may be one were looked at. */
interface EarlierExams {
  records: readonly StudyRecord[]
  more: boolean
}

/**
 * Earlier exams of the same patient in the same place, the newest first, by the rules by which the panel calls two
 * patients the same; who is only alike is left out. Without a date an exam is earlier than none.
 */
export async function listEarlierExams(db: Db, caller: Caller, record: StudyRecord): Promise<EarlierExams> {
  const patient = await findPatient(db, record)
  if (!patient) return { records: [], more: false }
  const scope = await visibleStudies(caller)
  const candidates = await listCandidates(db, scope, patient, foldText(patient.patient_name), maxCandidates)
  const earlier = candidates.filter(
    (one) =>
      one.phi_namespace === record.phi_namespace &&
      one.study_date !== '' &&
      one.study_date <= patient.study_date &&
      isOfSamePatient(patient, one),
  )
  const found = await listRecordsByUuid(
    db,
    earlier.map(({ uuid }) => uuid),
  )
  const byUuid = new Map(found.map((one) => [one.uuid, one]))
  const records: StudyRecord[] = []
  for (const { uuid } of earlier) {
    const one = byUuid.get(uuid)
    const access = one && !one.deleted && (await seeRecord(caller, one))
    if (access && mayDo('makeLinks', access)) records.push(access.record)
  }
  return { records, more: isCut(patient, candidates) }
}

/** Whether so many have the MRN, the name or the birth date of a patient that some of them were not looked at. */
export function isCut(patient: PatientRow, candidates: readonly PatientRow[]): boolean {
  const keys = [
    ({ patientid }: PatientRow) => foldId(patientid),
    ({ patient_name }: PatientRow) => foldText(patient_name),
    ({ patient_birth_date }: PatientRow) => patient_birth_date,
  ]
  return keys.some((keyOf) => {
    const key = keyOf(patient)
    return key !== '' && candidates.filter((one) => keyOf(one) === key).length >= maxCandidates
  })
}

/** Why a record that nobody chose or looked at is not shown by a link; undefined where it is. */
export function whyWithheld(study: LinkableStudy): PriorWithheld | undefined {
  if (study.is_frozen) return 'frozen'
  if (!study.has_images) return 'no_images'
  if (study.must_approve) return 'awaits_approval'
  return study.is_mixed ? 'mixed' : undefined
}

/** Whether two records are of one patient. */
export const isOfSamePatient = (one: PatientRow, other: PatientRow): boolean =>
  compareIdentities(asIdentity(one), asIdentity(other)).verdict === 'same'
