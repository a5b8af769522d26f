import { compareIdentities, type IdentityReason } from '@hilum/dicom/identity'
import { asIdentity, type ComparedPatient } from './compared-patient.ts'

const contradictions: ReadonlySet<IdentityReason> = new Set([
  'name-different',
  'birth-date-different',
  'sex-different',
  'mrn-different',
  'mrn-other-issuer',
])

/** Images of one study belong together until they contradict each other: that one of them says nothing is no reason. */
export function isOtherPatient(one: ComparedPatient, other: ComparedPatient): boolean {
  const { verdict, reasons } = compareIdentities(asIdentity(one), asIdentity(other))
  return verdict === 'different' && reasons.some((reason) => contradictions.has(reason))
}
