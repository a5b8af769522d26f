import { foldId } from '@hilum/dicom/fold-id'
import { compareIdentities, type IdentityReason } from '@hilum/dicom/identity'
import { asIdentity } from '../storage/compared-patient.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import { isOtherPatient } from '../storage/other-patient.ts'

/** Spellings kept per stored study; more say no more, unless they name somebody else. */
const MAX_IDENTITIES = 20

/**
 * Adds the spellings that are new. Of too many the first are kept, and one that contradicts them, or has another MRN; among several
 * patients, the last one more of them, since who said that they are one did not know of that one.
 */
export function addIdentities(
  known: readonly ArrivingIdentity[],
  arrived: readonly ArrivingIdentity[],
): ArrivingIdentity[] {
  const all = new Map([...known, ...arrived].map((identity) => [JSON.stringify(keyOf(identity)), identity]))
  const listed = [...all.values()].slice(0, MAX_IDENTITIES)
  if (all.size <= MAX_IDENTITIES) return listed
  const late = [...all.values()].slice(MAX_IDENTITIES)
  const other = namesSeveralPatients(listed)
    ? late.findLast((one) => listed.every((known) => isOtherPatient(known, one)))
    : (late.find((one) => listed.some((known) => isOtherPatient(known, one))) ??
      late.find((one) => listed.some((known) => hasOtherMrn(known, one))))
  if (!other) return listed
  const contradicted = listed.findIndex((one) => isOtherPatient(one, other))
  return listed.with(contradicted === MAX_IDENTITIES - 1 ? 0 : MAX_IDENTITIES - 1, other)
}

/** Two MRNs, were they of one person. */
function hasOtherMrn(one: ArrivingIdentity, other: ArrivingIdentity): boolean {
  const [first, second] = [foldId(one.patientid), foldId(other.patientid)]
  return first !== '' && second !== '' && first !== second
}

/** Whether a stored study holds images of more than one patient. */
export function namesSeveralPatients(identities: readonly ArrivingIdentity[]): boolean {
  return identities.some((one, index) => identities.slice(index + 1).some((other) => isOtherPatient(one, other)))
}

/** Whether name, birth date and sex are those of the other: what is missing in one alone is not. */
export function namesVeryPatient(one: ArrivingIdentity, other: ArrivingIdentity): boolean {
  const { reasons } = compareIdentities(asIdentity(one), asIdentity(other))
  const isAlike = (field: 'patient_birth_date' | 'patient_sex', same: IdentityReason) =>
    reasons.includes(same) || one[field] === other[field]
  return (
    reasons.includes('name-same') &&
    isAlike('patient_birth_date', 'birth-date-same') &&
    isAlike('patient_sex', 'sex-same')
  )
}

function keyOf(identity: ArrivingIdentity): readonly string[] {
  return [identity.patient_name, identity.patientid, identity.issuer, identity.patient_birth_date, identity.patient_sex]
}
