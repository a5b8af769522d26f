import type { OwnNames } from '@hilum/dicom/authority'
import type { IdentityReason } from '@hilum/dicom/identity'
import { findMrnClash, type MrnClash } from '@hilum/dicom/identity-mrn'
import { personDigest } from '../altered/person-digest.ts'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'

/** The patient as the exam leaves: a number without an authority leaves as the organisation's own (docs/decisions/0155). */
function asOutgoing(patient: ComparedPatient, [own = '']: OwnNames): ComparedPatient {
  return { ...patient, issuer: patient.issuer || own }
}

/**
 * People who hold the MRN that an exam leaves under and are not plainly its patient. Nobody looks at both where an exam
 * leaves, so that whoever may be somebody else counts (docs/decisions/0247).
 * @param ownNames of the organisation's own assigning authority
 */
export function findOtherPeople<Holder extends ComparedPatient>(
  ownNames: OwnNames,
  patient: ComparedPatient,
  holders: readonly Holder[],
): { holder: Holder; found: MrnClash }[] {
  const outgoing = asIdentity(asOutgoing(patient, ownNames), ownNames)
  return holders.flatMap((holder) => {
    const found = findMrnClash(outgoing, asIdentity(holder, ownNames))
    return found ? [{ holder, found }] : []
  })
}

/** Others than the patient of an exam who hold its MRN: words without patient data, and a digest of each. */
export interface OtherPeople {
  words: string
  people: string[]
}

/**
 * The people who hold an MRN beside the patient of an exam; undefined for none.
 * @param say begins the sentence, for somebody who cannot be the patient and for somebody who may be another
 */
export function describeOthers(
  clashes: readonly { holder: ComparedPatient; found: MrnClash }[],
  say: { isOther: string; mayBeOther: string },
): OtherPeople | undefined {
  if (clashes.length === 0) return undefined
  const reasons = clashes.flatMap(({ found }) => found.reasons)
  const listed = (names: Partial<Record<IdentityReason, string>>) =>
    [...new Set(reasons.flatMap((one) => names[one] ?? []))].join(', ')
  const [other, untold] = [listed(differing), listed(uncertain)]
  const parts = [other && `other ${other}`, untold && `too little is told of the ${untold}`].filter(Boolean)
  const isOther = clashes.some(({ found }) => found.verdict === 'different')
  const words = `${isOther ? say.isOther : say.mayBeOther}: ${parts.join('; ')}`
  return { words, people: [...new Set(clashes.map(({ holder }) => personDigest(holder)))].toSorted() }
}

const differing: Partial<Record<IdentityReason, string>> = {
  'name-different': 'name',
  'birth-date-different': 'birth date',
  'birth-date-transposed': 'birth date',
  'birth-date-one-digit': 'birth date',
  'sex-different': 'sex',
}

const uncertain: Partial<Record<IdentityReason, string>> = {
  'name-shortened': 'name',
  'name-unknown': 'name',
  'birth-date-partial': 'birth date',
  'birth-date-unknown': 'birth date',
}
