import { describe, expect, it } from 'vitest'
import { compareIdentities, type Identity } from './identity.ts'
import { compareNames } from './identity-name.ts'

const jorg: Identity = {
  patientName: 'Fischer^Jörg',
  patientId: '12345',
  patientIdIssuer: 'HOSPITAL-A',
  patientBirthDate: '19700203',
  patientSex: 'M',
}

const verdict = (other: Partial<Identity>, one: Partial<Identity> = {}) =>
  compareIdentities({ ...jorg, ...one }, { ...jorg, ...other }).verdict

describe('comparing names', () => {
  it.each([
    ['Fischer^Jörg', 'Fischer^Jörg', 'name-same'],
    ['Fischer^Jörg', 'Fischer^Jörg^^', 'name-same'],
    ['Fischer^Jörg', 'FISCHER^JOERG', 'name-spelling'],
    ['Fischer^Jörg', 'Fischer^Jorg', 'name-spelling'],
    ["O'Connor^Siobhán", 'OConnor^Siobhan', 'name-spelling'],
    ['Fischer^Jörg', 'Fischer Jörg', 'name-parts-swapped'],
    ['Fischer^Jörg', 'Jörg^Fischer', 'name-parts-swapped'],
    ['Smith^John', 'Smith, John', 'name-same'],
    ['Doe^Jane^Q', 'Doe^Jane', 'name-partial'],
    ['Doe^J', 'Doe^Jane', 'name-partial'],
    ['Doe^Jane', 'Doe^John', 'name-different'],
    ['Doe', 'Doe^Jane', 'name-different'],
    ['Yamada^Tarou=山田^太郎', '=山田^太郎', 'name-same'],
    ['Yamada^Tarou=山田^太郎', 'Yamada^Tarou=山田^太朗', 'name-different'],
    ['ﾔﾏﾀﾞ^ﾀﾛｳ', 'やまだ^たろう', 'name-spelling'],
    ['', 'Doe^Jane', 'name-unknown'],
    ['^^^^', 'Doe^Jane', 'name-unknown'],
  ])('finds %s and %s: %s', (a, b, reason) => {
    expect(compareNames(a, b)).toBe(reason)
    expect(compareNames(b, a)).toBe(reason)
  })
})

describe('comparing identities', () => {
  it('is the same with name, birth date and an MRN of one issuer, however the name is spelt', () => {
    expect(verdict({})).toBe('same')
    expect(verdict({ patientName: 'FISCHER^JOERG' })).toBe('same')
    expect(verdict({ patientName: 'Jörg^Fischer' })).toBe('same')
    expect(verdict({ patientIdIssuer: '' })).toBe('same')
  })

  it('is likely where a person has to look', () => {
    expect(verdict({ patientIdIssuer: 'HOSPITAL-B' })).toBe('likely')
    expect(verdict({ patientId: '' })).toBe('likely')
    expect(verdict({ patientId: '99999' })).toBe('likely')
    expect(verdict({ patientBirthDate: '19700302' })).toBe('likely')
    expect(verdict({ patientBirthDate: '19700213' })).toBe('likely')
    expect(verdict({ patientBirthDate: '' })).toBe('likely')
    expect(verdict({ patientName: 'Weber^Jörg' })).toBe('likely')
    expect(verdict({ patientSex: 'F' })).toBe('likely')
  })

  it('is different where joining would be a guess', () => {
    expect(verdict({ patientBirthDate: '19811224' })).toBe('different')
    expect(verdict({ patientName: 'Weber^Anna', patientIdIssuer: 'HOSPITAL-B' })).toBe('different')
    expect(verdict({ patientName: 'Weber^Anna', patientIdIssuer: '' })).toBe('different')
    expect(verdict({ patientSex: 'F', patientId: '' })).toBe('different')
    expect(verdict({ patientBirthDate: '', patientId: '' })).toBe('different')
    expect(verdict({ patientName: '', patientId: '' })).toBe('different')
    expect(verdict({ patientBirthDate: '19700213', patientId: '777' })).toBe('different')
  })

  it('takes no number of an unknown issuer for a person by itself', () => {
    const numberAlone = { patientName: '', patientIdIssuer: '', patientBirthDate: '', patientSex: '' }
    expect(verdict(numberAlone)).toBe('different')
    expect(verdict({ ...numberAlone, patientBirthDate: jorg.patientBirthDate })).toBe('likely')
    expect(verdict({ ...numberAlone, patientIdIssuer: jorg.patientIdIssuer })).toBe('likely')
  })

  it('does not take one number of two issuers for one person', () => {
    const other = { patientName: 'Evans^Emil', patientIdIssuer: 'HOSPITAL-B', patientBirthDate: '19700203' }
    const comparison = compareIdentities(jorg, { ...jorg, ...other })
    expect(comparison).toEqual({
      verdict: 'different',
      reasons: ['name-different', 'birth-date-same', 'sex-same', 'mrn-other-issuer'],
    })
  })

  it('says the same whichever comes first', () => {
    const others: Partial<Identity>[] = [
      { patientName: 'Jörg' },
      { patientBirthDate: '1970' },
      { patientSex: 'O' },
      { patientId: '12345 ' },
    ]
    for (const other of others) expect(verdict(other)).toBe(verdict({}, other))
  })
})
