import type { OwnNames } from '@hilum/dicom/authority'
import { findMrnClash, type MrnClash } from '@hilum/dicom/identity-mrn'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import type { HolderRow } from './mrn-holders.sql.ts'

/** Another person's record under the same MRN, and what the comparison says of both. */
export interface Clash {
  holder: HolderRow
  found: MrnClash
}

/** Records of other people under the MRN of this one, by the names of the account's authority; `study` is the patient's own. */
export function findClashes(
  ownNames: OwnNames,
  patient: ComparedPatient,
  holders: readonly HolderRow[],
  study?: { uuid: string; study_uid: string },
): Clash[] {
  return holders.flatMap((holder) => {
    if (study && (holder.uuid === study.uuid || isSameStudy(patient, holder, study))) return []
    const found = findMrnClash(asIdentity(patient, ownNames), asIdentity(holder, ownNames))
    return found ? [{ holder, found }] : []
  })
}

/** The same study in another namespace, of the patient that stands here too. */
function isSameStudy(patient: ComparedPatient, holder: HolderRow, study: { study_uid: string }): boolean {
  const isSame = (field: keyof ComparedPatient) => patient[field] === holder[field]
  return (
    holder.study_uid === study.study_uid &&
    (['patient_name', 'patient_birth_date', 'patient_sex'] as const).every(isSame)
  )
}
