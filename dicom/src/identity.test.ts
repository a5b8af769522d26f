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
    ['Doe^J', 'Doe^Jane', 'name-shortened'],
    ['Doe^Jane', 'Doe^John', 'name-different'],
    ['Doe', 'Doe^Jane', 'name-different'],
    ['Yamada^Tarou=山田^太郎', '=山田^太郎', 'name-same'],
    ['Yamada^Tarou=山田^太郎', 'Yamada^Tarou=山田^太朗', 'name-different'],
    ['ﾔﾏﾀﾞ^ﾀﾛｳ', 'やまだ^たろう', 'name-spelling'],
    ['Yamada^Tarou=山田^太郎', 'Yamada^Tarou', 'name-same'],
    ['Yamada^Tarou=山田^太郎', 'Yamada^Hanako=山田^太郎', 'name-same'],
    ['Müller^Ann', 'Mueller^Ann', 'name-spelling'],
    ['Hägg^Ann', 'Haegg^Ann', 'name-spelling'],
    ['Sørensen^Ann', 'Soerensen^Ann', 'name-spelling'],
    ['Ångström^Ann', 'Aangstroem^Ann', 'name-spelling'],
    ['Doe^J.', 'Doe^Jane', 'name-shortened'],
    ['DOE^j', 'Doe^Jane', 'name-shortened'],
    ['Doe^A^Jane', 'Doe^Anna^Jane', 'name-shortened'],
    ['Doe^Anna - Maria', 'Anna^Doe^Maria', 'name-parts-swapped'],
    ['Doe^Ja', 'Doe^Jane', 'name-different'],
    ['Doe^J.A.', 'Doe^Jane', 'name-different'],
    ['Doe^.J', 'Doe^Jane', 'name-different'],
    ['Doe^K', 'Doe^Jane', 'name-different'],
    ['Roe^J', 'Doe^Jane', 'name-different'],
    ['Doe^Jane^Q', 'Doe^Jane^Quinn', 'name-partial'],
    ['Doe^Jane^Quinn', 'Doe^Quinn', 'name-shortened'],
    ['Doe^Hans', 'Doe^Hans-Peter', 'name-shortened'],
    ['Doe^Jane^Quinn', 'Doe^Jane^Ruth', 'name-different'],
    ['Doe^.', 'Doe^Jane', 'name-different'],
    ['Doe^^Q', 'Doe^Jane', 'name-different'],
    ['Doe^^J', 'Doe^^Jane', 'name-different'],
    ['Doe^J', 'Doe', 'name-different'],
    ['', 'Doe^Jane', 'name-unknown'],
    ['^^^^', 'Doe^Jane', 'name-unknown'],
  ])('finds %s and %s: %s', (a, b, reason) => {
    expect(compareNames(a, b)).toBe(reason)
    expect(compareNames(b, a)).toBe(reason)
  })
})

describe('comparing the other signs', () => {
  const reason = (other: Partial<Identity>, one: Partial<Identity>, at: 1 | 2 | 3) => {
    const [there, back] = [
      compareIdentities(one as Identity, other as Identity),
      compareIdentities(other as Identity, one as Identity),
    ]
    expect(back.reasons).toEqual(there.reasons)
    return there.reasons[at]
  }

  it.each([
    ['19700203', '19700203', 'same'],
    ['19700203', '1970.02.03', 'same'],
    ['19700203', '19700302', 'transposed'],
    ['19700203', '19702003', 'unknown'],
    ['19700213', '19700231', 'unknown'],
    ['19701203', '19702103', 'unknown'],
    ['19700212', '19700221', 'transposed'],
    ['19780212', '19870212', 'transposed'],
    ['19700212', '1970-02-21', 'transposed'],
    ['19700203', '19700213', 'one-digit'],
    ['1970.02.03', '19710203', 'one-digit'],
    ['19700203', '19700503', 'one-digit'],
    ['19700203', '19710302', 'different'],
    ['19710203', '19720103', 'different'],
    ['19780212', '19870213', 'different'],
    ['19700203', '19700314', 'different'],
    ['19700412', '19700905', 'different'],
    ['19700204', '19700302', 'different'],
    ['19700412', '19701205', 'different'],
    ['19700511', '19700722', 'different'],
    ['19780212', '19880215', 'different'],
    ['19780212', '19790221', 'different'],
    ['19780112', '19810712', 'different'],
    ['19280112', '19820112', 'transposed'],
    ['19280112', '19830112', 'different'],
    ['19280112', '19920112', 'different'],
    ['19700203', '1970', 'partial'],
    ['197002', '1970', 'partial'],
    ['19700203', '197002', 'partial'],
    ['1970', '1970', 'partial'],
    ['19700203', '1971', 'different'],
    ['19700203', '197003', 'different'],
    ['197002', '197102', 'different'],
    ['19700203', '', 'unknown'],
    ['19700203', 'unknown', 'unknown'],
  ])('finds the birth dates %s and %s: %s', (one, other, expected) => {
    const found = reason({ ...jorg, patientBirthDate: other }, { ...jorg, patientBirthDate: one }, 1)
    expect(found).toBe(`birth-date-${expected}`)
  })

  it.each([
    ['M', 'm ', 'same'],
    [' F', 'F', 'same'],
    ['M', 'F', 'different'],
    ['M', 'O', 'unknown'],
    ['O', 'o', 'same'],
    ['M', '', 'unknown'],
    ['M', 'MF', 'unknown'],
    ['F', 'FM', 'unknown'],
  ])('finds the sexes %j and %j: %s', (one, other, expected) => {
    expect(reason({ ...jorg, patientSex: other }, { ...jorg, patientSex: one }, 2)).toBe(`sex-${expected}`)
  })

  it.each([
    [['a1', 'NORTH'], [' A1 ', 'north'], 'same'],
    [['A1', 'NORTH'], ['A1', ''], 'same-issuer-unknown'],
    [['A1', ''], ['A1', ''], 'same-issuer-unknown'],
    [['A1', 'NORTH'], ['A1', 'SOUTH'], 'other-issuer'],
    [['A1', 'NORTH'], ['A2', 'NORTH'], 'different'],
    [['A1', 'NORTH'], ['', 'NORTH'], 'unknown'],
    [['', 'NORTH'], ['  ', 'NORTH'], 'unknown'],
  ])('finds the numbers %j and %j: %s', (one, other, expected) => {
    const identity = ([patientId = '', patientIdIssuer = '']: string[]) => ({ ...jorg, patientId, patientIdIssuer })
    expect(reason(identity(other), identity(one), 3)).toBe(`mrn-${expected}`)
  })
})

describe('comparing identities', () => {
  it('is the same with name, birth date and an MRN of one issuer, however the name is spelt', () => {
    expect(verdict({})).toBe('same')
    expect(verdict({ patientName: 'FISCHER^JOERG' })).toBe('same')
    expect(verdict({ patientName: 'Jörg^Fischer' })).toBe('same')
    expect(verdict({ patientIdIssuer: '' })).toBe('same')
    expect(verdict({ patientIdIssuer: '', patientName: 'FISCHER^JOERG' })).toBe('same')
  })

  it('asks a person where a given name is cut short, as twins have one family name, one birth date and often one letter', () => {
    expect(verdict({ patientName: 'Fischer^J' })).toBe('likely')
    expect(verdict({ patientName: 'Fischer^Jörg' }, { patientName: 'Fischer^Karl^Jörg' })).toBe('likely')
    expect(verdict({ patientName: 'Fischer^Jörg^Karl' })).toBe('same')
  })

  it('asks a person where the issuer is unknown and the name is not written alike', () => {
    expect(verdict({ patientIdIssuer: '', patientName: 'Jörg^Fischer' })).toBe('likely')
    expect(verdict({ patientIdIssuer: '', patientName: 'Fischer^J' })).toBe('likely')
  })

  it('takes nobody of the other sex for one person where the name differs or is missing', () => {
    expect(verdict({ patientName: 'Weber^Jörg', patientSex: 'F' })).toBe('different')
    expect(verdict({ patientName: '', patientSex: 'F' })).toBe('different')
    expect(verdict({ patientName: '' })).toBe('likely')
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
