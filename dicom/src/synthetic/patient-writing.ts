import type { Identity } from '../identity.ts'
import type { Draw, NameWord, Person } from './patient-people.ts'

/** The number under which a hospital holds a person. */
export interface HeldNumber {
  number: string
  issuer: string
}

/** How one system writes a person down. */
interface Habits {
  /** The share of names with something changed: case, accents, order, middle names, script. */
  carelessness: number
  /** Whether given names may be cut to their first letter. */
  initials: boolean
  /** The share of records that name no issuer. */
  withoutIssuer: number
  /** The share of records without a sex, or with O. */
  withoutSex: number
}

export const careful: Habits = { carelessness: 0, initials: false, withoutIssuer: 0, withoutSex: 0 }
export const usual: Habits = { carelessness: 0.3, initials: true, withoutIssuer: 0.3, withoutSex: 0.05 }

/** The person as one system would store the patient: PN by PS3.5 §6.2.1, DA as YYYYMMDD or as typed. */
export function writeIdentity(draw: Draw, person: Person, held: HeldNumber | undefined, habits: Habits): Identity {
  return {
    patientName: draw.chance(habits.carelessness) ? writeCarelessly(draw, person, habits) : writeWhole(person),
    patientId: held?.number ?? '',
    patientIdIssuer: held && !draw.chance(habits.withoutIssuer) ? held.issuer : '',
    patientBirthDate: writeDate(person.birth),
    patientSex: draw.chance(habits.withoutSex) ? draw.of(['', 'O']) : person.sex,
  }
}

export function writeDate({ year, month, day }: Person['birth']): string {
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('')
}

function writeWhole({ family, given, middle }: Person): string {
  const group = (key: 'latin' | 'native' | 'phonetic') =>
    [family[key] ?? '', given[key] ?? '', (middle?.[key] ?? '').trim()].join('^').replace(/\^+$/, '')
  return [group('latin'), group('native'), group('phonetic')].join('=').replace(/=+$/, '')
}

function writeCarelessly(draw: Draw, person: Person, { initials }: Habits): string {
  const { family, given, middle } = person
  const name = (f: string, g: string, m = '') => `${f}^${g}${m ? `^${m}` : ''}`
  const latin = [family.latin, given.latin, middle?.latin ?? ''] as const
  const ways: (() => string)[] = [
    () => name(...latin).toUpperCase(),
    () => withoutAccents(name(...latin)),
    () => germanSpelling(name(...latin)).toUpperCase(),
    () => name(family.latin, given.latin),
    () => name(given.latin, family.latin, middle?.latin),
    () => `${family.latin}, ${given.latin}`,
    () => name(...latin).replace(/['-]/g, ''),
  ]
  if (initials) ways.push(() => name(family.latin, given.latin.slice(0, 1)))
  if (middle) ways.push(() => name(family.latin, given.latin, middle.latin.slice(0, 1)))
  if (family.native) ways.push(...ownScript(family, given))
  return draw.of(ways)()
}

/** Names of other scripts reach another system in Latin letters alone, or in their own script alone. */
function ownScript(family: NameWord, given: NameWord): (() => string)[] {
  const native = `${family.native}^${given.native}`
  const phonetic = family.phonetic ? `=${family.phonetic}^${given.phonetic}` : ''
  return [() => `${family.latin}^${given.latin}`, () => `=${native}`, () => `=${native}${phonetic}`, () => native]
}

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{Mn}/gu, '')

const german: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', ß: 'ss' }
const germanSpelling = (text: string) => text.replace(/[äöüåøß]/g, (letter) => german[letter] ?? letter)
