import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIdentities, type Identity } from './identity.ts'
import { findMrnClash } from './identity-mrn.ts'

const anna: Identity = {
  patientName: 'Weber^Anna',
  patientId: '4711',
  patientIdIssuer: 'NORTH',
  patientBirthDate: '19700203',
  patientSex: 'F',
}
const clash = (other: Partial<Identity>, one: Partial<Identity> = {}) =>
  findMrnClash({ ...anna, ...one }, { ...anna, ...other })?.verdict

describe('two holders of one MRN', () => {
  it('are no clash where they are one person, however the name is spelt', () => {
    expect(clash({})).toBeUndefined()
    expect(clash({ patientName: 'WEBER^ANNA', patientId: ' 4711 ' })).toBeUndefined()
  })

  it('clash where birth date or name say that they are different', () => {
    expect(clash({ patientBirthDate: '19811224' })).toBe('different')
    expect(clash({ patientName: 'Okafor^Ben', patientBirthDate: '' })).toBe('different')
  })

  it('want a person to look where the sex differs, the name changed or a birth date is missing', () => {
    expect(clash({ patientSex: 'M' })).toBe('likely')
    expect(clash({ patientName: 'Huber^Anna' })).toBe('likely')
    expect(clash({ patientBirthDate: '' })).toBe('likely')
  })

  it.each([
    ['', ''],
    [' ', ''],
    ['', ' '],
    ['NORTH', ' '],
    [' ', 'NORTH'],
  ])('are taken to have one issuer where it is %j and %j', (patientIdIssuer, other) => {
    expect(clash({ patientName: 'Huber^Anna', patientIdIssuer: other }, { patientIdIssuer })).toBe('likely')
    expect(clash({ patientIdIssuer: other }, { patientIdIssuer })).toBeUndefined()
  })

  it.each([
    ['N-4711', 'Ｎ－４７１１'],
    ['N-4711', 'n\u20114711'],
    ['N-4711', 'N\u20134711'],
    ['N-4711', '\u200eN\u2212\u200b4711\u3000'],
    ['12-3', '１２ー３'],
    ['ж-Ω', 'Ж\u2014ω'],
  ])('are one number however wide, with whatever hyphen it is written: %s and %s', (patientId, other) => {
    expect(clash({ patientId: other, patientBirthDate: '19811224' }, { patientId })).toBe('different')
    expect(clash({ patientId: other }, { patientId })).toBeUndefined()
  })

  it('are numbers of their own where more than width, case or hyphen differs', () => {
    for (const patientId of ['N4711', 'N 4711', 'N-4711-', 'N-04711', 'N_4711', 'М-4711'])
      expect(clash({ patientId, patientBirthDate: '19811224' }, { patientId: 'N-4711' })).toBeUndefined()
  })

  it('takes a number of which nothing is seen for none', () => {
    expect(clash({ patientId: '\u200b', patientBirthDate: '19811224' }, { patientId: '\u2060 ' })).toBeUndefined()
  })

  it('clash by numbers whose issuer nobody knows, never by numbers of two issuers', () => {
    expect(clash({ patientIdIssuer: '', patientBirthDate: '19811224' })).toBe('different')
    expect(clash({ patientIdIssuer: '', patientBirthDate: '19811224' }, { patientIdIssuer: '' })).toBe('different')
    expect(clash({ patientIdIssuer: 'SOUTH', patientBirthDate: '19811224' })).toBeUndefined()
    expect(clash({ patientId: '', patientBirthDate: '19811224' }, { patientId: '' })).toBeUndefined()
  })
})

const person = fc.record({
  patientName: fc.constantFrom('Weber^Anna', 'WEBER^ANNA', 'Huber^Anna', 'Okafor^Ben', 'Weber^A', ''),
  patientId: fc.constantFrom('4711', '4711 ', '815', ''),
  patientIdIssuer: fc.constantFrom('NORTH', 'north', 'SOUTH', ''),
  patientBirthDate: fc.constantFrom('19700203', '19700302', '1970', '19811224', ''),
  patientSex: fc.constantFrom('F', 'M', 'O', ''),
})

it('is symmetric, and never silent about one number of one issuer where the comparison is not sure of one person', () => {
  fc.assert(
    fc.property(person, person, (a, b) => {
      const found = findMrnClash(a, b)?.verdict
      const { verdict, reasons } = compareIdentities(a, b)
      const isHeld = reasons.includes('mrn-same')
      const mayBeHeld = isHeld || reasons.includes('mrn-same-issuer-unknown')
      expect(findMrnClash(b, a)?.verdict).toBe(found)
      expect(isHeld && found !== (verdict === 'same' ? undefined : verdict)).toBe(false)
      expect(!mayBeHeld && found !== undefined).toBe(false)
      expect(mayBeHeld && reasons.includes('birth-date-different') && found !== 'different').toBe(false)
    }),
    { numRuns: 2000 },
  )
})
