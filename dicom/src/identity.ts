import { parseDate } from './dates.ts'
import { foldId } from './fold-id.ts'
import { compareNames, type NameReason } from './identity-name.ts'

/** The patient's identity as a study gives it. Texts may be empty; the birth date is YYYYMMDD. */
export type Identity = {
  patientName: string
  patientId: string
  patientIdIssuer: string
  patientBirthDate: string
  patientSex: string
}

type BirthDateReason =
  | 'birth-date-same'
  | 'birth-date-transposed'
  | 'birth-date-one-digit'
  | 'birth-date-partial'
  | 'birth-date-different'
  | 'birth-date-unknown'
type SexReason = 'sex-same' | 'sex-different' | 'sex-unknown'
type MrnReason = 'mrn-same' | 'mrn-same-issuer-unknown' | 'mrn-other-issuer' | 'mrn-different' | 'mrn-unknown'
export type IdentityReason = NameReason | BirthDateReason | SexReason | MrnReason

/** `likely` wants a person to look; `different` is not to be joined. */
export type IdentityVerdict = 'same' | 'likely' | 'different'

type IdentityComparison = { verdict: IdentityVerdict; reasons: IdentityReason[] }

/**
 * Compares two identities. Joining two people is the worse mistake, so "same" takes an MRN besides name and birth
 * date, and lack of evidence counts as different.
 */
export function compareIdentities(a: Identity, b: Identity): IdentityComparison {
  const name = compareNames(a.patientName, b.patientName)
  const birthDate = compareBirthDates(a.patientBirthDate, b.patientBirthDate)
  const sex = compareSexes(a.patientSex, b.patientSex)
  const mrn = compareMrns(a, b)
  return { verdict: decide(name, birthDate, sex, mrn), reasons: [name, birthDate, sex, mrn] }
}

function decide(name: NameReason, birthDate: BirthDateReason, sex: SexReason, mrn: MrnReason): IdentityVerdict {
  const hasMrn = mrn === 'mrn-same'
  const hasAnyMrn = hasMrn || mrn === 'mrn-same-issuer-unknown'
  const hasBirthDate = birthDate === 'birth-date-same'
  if (birthDate === 'birth-date-different') return 'different'
  // People change names; only MRN, its issuer and the birth date together speak for one person then.
  if (name === 'name-different') return hasMrn && hasBirthDate && sex !== 'sex-different' ? 'likely' : 'different'
  // An MRN without its issuer proves nothing alone.
  if (name === 'name-unknown') {
    return (hasMrn || (hasAnyMrn && hasBirthDate)) && sex !== 'sex-different' ? 'likely' : 'different'
  }
  if (sex === 'sex-different') return hasMrn && hasBirthDate ? 'likely' : 'different'
  if (birthDate === 'birth-date-unknown') return hasAnyMrn ? 'likely' : 'different'
  if (!hasBirthDate) return mrn === 'mrn-different' ? 'different' : 'likely'
  // A number given to the wrong twin agrees with birth date, family name and first letter.
  if (name === 'name-shortened') return 'likely'
  if (hasMrn) return 'same'
  return hasAnyMrn && (name === 'name-same' || name === 'name-spelling') ? 'same' : 'likely'
}

function compareBirthDates(a: string, b: string): BirthDateReason {
  const [one, other] = [parseDate(a), parseDate(b)]
  if (!one || !other) return 'birth-date-unknown'
  if (one.day === undefined || other.day === undefined) {
    const isAlike =
      one.year === other.year && (one.month === undefined || other.month === undefined || one.month === other.month)
    return isAlike ? 'birth-date-partial' : 'birth-date-different'
  }
  if (one.year === other.year && one.month === other.month && one.day === other.day) return 'birth-date-same'
  // Day and month exchanged, as between countries.
  if (one.year === other.year && one.month === other.day && one.day === other.month) return 'birth-date-transposed'
  const digits = (text: string) => text.replace(/\D/g, '')
  return compareDigits(digits(a), digits(b))
}

/** Two neighbouring digits exchanged, or one mistyped. */
function compareDigits(a: string, b: string): BirthDateReason {
  const at = [...a].flatMap((digit, index) => (digit === b[index] ? [] : [index]))
  if (at.length === 1) return 'birth-date-one-digit'
  const [first = 0, second = 0] = at
  const isExchange = at.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first]
  return isExchange ? 'birth-date-transposed' : 'birth-date-different'
}

function compareSexes(a: string, b: string): SexReason {
  const [one, other] = [a.trim().toUpperCase(), b.trim().toUpperCase()]
  // O says little beside M or F: it stands for other, unknown and not asked.
  if (one === 'O' && other === 'O') return 'sex-same'
  if (!/^[MF]$/.test(one) || !/^[MF]$/.test(other)) return 'sex-unknown'
  return one === other ? 'sex-same' : 'sex-different'
}

function compareMrns(a: Identity, b: Identity): MrnReason {
  const [one, other] = [foldId(a.patientId), foldId(b.patientId)]
  if (one === '' || other === '') return 'mrn-unknown'
  const [issuer, otherIssuer] = [foldId(a.patientIdIssuer), foldId(b.patientIdIssuer)]
  const isIssuerKnown = issuer !== '' && otherIssuer !== ''
  if (isIssuerKnown && issuer !== otherIssuer) return 'mrn-other-issuer'
  if (one !== other) return 'mrn-different'
  return isIssuerKnown ? 'mrn-same' : 'mrn-same-issuer-unknown'
}
