import { compareIdentities, type Identity, type IdentityReason, type IdentityVerdict } from './identity.ts'

const contradictions: ReadonlySet<IdentityReason> = new Set([
  'name-different',
  'birth-date-different',
  'sex-different',
  'mrn-different',
])
/** Reasons to look twice. A field that one side leaves empty is no difference. */
const doubts: ReadonlySet<IdentityReason> = new Set([
  'name-parts-swapped',
  'name-partial',
  'name-shortened',
  'birth-date-transposed',
  'birth-date-one-digit',
  'birth-date-partial',
])

/**
 * Compares the patient of an exam with the one who is expected. A field that nobody named is no difference; nor is
 * another number without an issuer: each hospital gives its own.
 */
export function compareWithExpected(
  expected: Identity,
  patient: Identity,
): { verdict: IdentityVerdict; differences: IdentityReason[] } {
  const { verdict, reasons } = compareIdentities(expected, patient)
  const isOtherNumber = (reason: IdentityReason) => reason === 'mrn-different' && patient.patientIdIssuer === ''
  const differences = reasons.filter(
    (reason) => (contradictions.has(reason) || doubts.has(reason)) && !isOtherNumber(reason),
  )
  if (verdict === 'same' || differences.length === 0) return { verdict: 'same', differences: [] }
  return { verdict: differences.some((reason) => contradictions.has(reason)) ? verdict : 'likely', differences }
}
