import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  areOnePatient,
  findRowClashes,
  listMissingMrns,
  listUnwritableMrns,
  commonMrn,
  type MrnRow,
  mrnOf,
  whyNotOnePatient,
} from './mrn-rules.ts'

const anna: MrnRow = { key: 'a', name: 'DOE^JANE', mrn: 'M1', issuer: '', birthDate: '19800521', sex: 'F' }
const none = { mrns: {}, onePatient: undefined }

describe('MRNs', () => {
  test('[UPLOAD-08] are prefilled from the images, and what the person typed rules', () => {
    expect(mrnOf(anna, [anna], none)).toBe('M1')
    expect(mrnOf(anna, [anna], { ...none, mrns: { a: ' M9 ' } })).toBe('M9')
    expect(mrnOf(anna, [anna], { ...none, mrns: { a: '' } })).toBe('')
  })

  test('[UPLOAD-08] are required as soon as there are several patients, and not before', () => {
    const without = { ...anna, key: 'b', mrn: '' }
    expect(listMissingMrns([without], none)).toEqual([])
    expect(listMissingMrns([anna, without], none)).toEqual(['b'])
    expect(listMissingMrns([anna, without], { ...none, mrns: { b: '  ' } })).toEqual(['b'])
    expect(listMissingMrns([anna, without], { ...none, mrns: { b: 'M2' } })).toEqual([])
  })

  test('[UPLOAD-08] that DICOM cannot hold are named, but for those that came with the images', () => {
    const long = { ...anna, mrn: '5'.repeat(70) }
    expect(listUnwritableMrns([long], none)).toEqual([])
    expect(listUnwritableMrns([long], { ...none, mrns: { a: `${long.mrn}5` } })).toEqual(['a'])
    for (const mrn of ['1\\2', '1\t2', '5'.repeat(65)])
      expect([mrn, listUnwritableMrns([anna], { ...none, mrns: { a: mrn } })]).toEqual([mrn, ['a']])
    expect(listUnwritableMrns([anna], { ...none, mrns: { a: '山'.repeat(64) } })).toEqual([])
  })

  test('"These are one patient" is refused where birth date, sex or name say otherwise, not where one is absent', () => {
    expect(whyNotOnePatient([anna, { ...anna, birthDate: '19800522' }])).toBe('birth-date')
    expect(whyNotOnePatient([anna, { ...anna, sex: 'M' }])).toBe('sex')
    expect(whyNotOnePatient([anna, { ...anna, name: 'ROE^RON', birthDate: '' }])).toBe('name')
    expect(whyNotOnePatient([anna, { ...anna, name: 'DOE^J', birthDate: '', sex: '' }])).toBeUndefined()
    expect(whyNotOnePatient([anna, { ...anna, name: 'SMITH^JANE' }])).toBeUndefined()
  })

  test.each(['Ｍ１－７', 'm1\u20137', 'M1\u22127\u200b', ' Ｍ1ー7'])(
    '[UPLOAD-08] %s is the number M1-7, and clashes with it',
    (written) => {
      const rows = [
        { ...anna, mrn: 'M1-7' },
        { ...anna, key: 'b', name: 'ROE^RON', birthDate: '19611103', mrn: 'M2' },
      ]
      const [clash] = findRowClashes(rows, { ...none, mrns: { b: written } })
      expect([clash?.verdict, clash?.rows.map(({ key }) => key)]).toEqual(['different', ['a', 'b']])
    },
  )

  test('that come with blanks around them are no new ones', () => {
    const padded = { ...anna, mrn: ` ${'5'.repeat(70)} ` }
    expect(listUnwritableMrns([padded], none)).toEqual([])
    const north = { ...anna, issuer: 'NORTH', mrn: ' M1 ' }
    const south = { ...anna, key: 'b', issuer: 'SOUTH', birthDate: '19611103' }
    expect(findRowClashes([north, south], none)).toEqual([])
  })

  test('birth dates and sexes that differ by blanks alone do not differ', () => {
    expect(whyNotOnePatient([anna, { ...anna, birthDate: '19800521 ', sex: ' F' }])).toBeUndefined()
    expect(whyNotOnePatient([anna, { ...anna, birthDate: ' ', sex: ' ' }])).toBeUndefined()
  })

  test('a single person is one, whatever the images leave out', () => {
    const unnamed = { ...anna, name: '', birthDate: '', sex: '', mrn: '' }
    expect(whyNotOnePatient([unnamed])).toBeUndefined()
    expect(whyNotOnePatient([anna])).toBeUndefined()
  })

  test('of "one patient" are given to exactly the rows of which it was said', () => {
    const [one, other, third] = [anna, { ...anna, key: 'b', mrn: 'M2' }, { ...anna, key: 'c', mrn: 'M3' }]
    const onePatient = { keys: ['b', 'a'], mrn: ' COMMON ' }
    const entries = { mrns: { a: 'TYPED' }, onePatient }
    const given = (...rows: MrnRow[]) => rows.map((row) => mrnOf(row, rows, entries))
    expect(areOnePatient([one, other], onePatient)).toBe(true)
    expect(given(one, other)).toEqual(['COMMON', 'COMMON'])
    expect(given(one, third)).toEqual(['TYPED', 'M3'])
    expect(given(one, other, third)).toEqual(['TYPED', 'M2', 'M3'])
    expect(given(one)).toEqual(['TYPED'])
    expect(areOnePatient([one], { keys: ['a'], mrn: 'COMMON' })).toBe(false)
    expect(areOnePatient([one, other], undefined)).toBe(false)
    const stranger = { ...other, birthDate: '19611103' }
    expect(given(one, stranger)).toEqual(['TYPED', 'M2'])
  })

  test('that were said to be of one patient are no question any more', () => {
    const rows = [anna, { ...anna, key: 'b', name: 'SMITH^JANE' }]
    expect(findRowClashes(rows, none)).toHaveLength(1)
    expect(findRowClashes(rows, { ...none, onePatient: { keys: ['a', 'b'], mrn: 'M1' } })).toEqual([])
  })

  test('that clash are one question, whichever row comes first; another number or person is another', () => {
    const smith = { ...anna, key: 'b', name: 'SMITH^JANE' }
    const idOf = (...rows: MrnRow[]) => findRowClashes(rows, none)[0]?.id
    expect(idOf(anna, smith)).toBe(idOf(smith, anna))
    expect(idOf(anna, smith)).toBe(idOf({ ...anna, mrn: 'm1' }, smith))
    const others = [
      idOf({ ...anna, mrn: 'M2' }, { ...smith, mrn: 'M2' }),
      idOf(anna, { ...smith, key: 'c' }),
      idOf({ ...anna, key: 'c' }, smith),
    ]
    expect(new Set([idOf(anna, smith), ...others]).size).toBe(4)
  })

  test('one patient takes the first MRN that there is', () => {
    expect(commonMrn([{ ...anna, mrn: '' }], none)).toBe('')
    const rows = [
      { ...anna, mrn: '' },
      { ...anna, key: 'b', mrn: 'M2' },
    ]
    expect(commonMrn(rows, none)).toBe('M2')
  })

  test('of two rows clash where the rows are not plainly one patient', () => {
    const ben = { ...anna, key: 'b', name: 'ROE^RON', birthDate: '19611103', sex: 'M', mrn: 'X' }
    const clash = (row: MrnRow, mrns = {}) => findRowClashes([anna, row], { ...none, mrns })[0]?.verdict
    expect(clash(ben)).toBeUndefined()
    expect(clash({ ...ben, mrn: 'm1 ' })).toBe('different')
    expect(clash(ben, { b: 'M1' })).toBe('different')
    expect(clash({ ...anna, key: 'b', name: 'SMITH^JANE' })).toBe('likely')
    expect(clash({ ...anna, key: 'b', name: 'Doe^Jane' })).toBeUndefined()
    // two clinics count for themselves, as long as nobody types
    const clinics = [
      { ...anna, issuer: 'NORTH' },
      { ...ben, mrn: 'M1', issuer: 'SOUTH' },
    ]
    expect(findRowClashes(clinics, none)).toEqual([])
    const typed = { a: 'T', b: 'T' }
    expect(findRowClashes(clinics, { ...none, mrns: typed })).toHaveLength(1)
  })
})

const person = fc.record({
  name: fc.constantFrom('DOE^JANE', 'Doe^Jane', 'SMITH^JANE', 'ROE^RON', 'DOE^J', ''),
  mrn: fc.constantFrom('M1', 'm1', 'M2', ''),
  issuer: fc.constantFrom('', 'NORTH', 'SOUTH'),
  birthDate: fc.constantFrom('19800521', '19800512', '19611103', '1980', ''),
  sex: fc.constantFrom('F', 'M', 'O', ''),
})
const family = fc
  .array(person, { minLength: 1, maxLength: 6 })
  .map((people) => people.map((one, at): MrnRow => ({ ...one, key: `p${at}` })))
const typed = fc.dictionary(fc.constantFrom('p0', 'p1', 'p2', 'p3'), fc.constantFrom('M1', 'M2', 'T', ' '))
const differsIn = (rows: readonly MrnRow[], field: 'birthDate' | 'sex') =>
  new Set(rows.map((row) => row[field]).filter(Boolean)).size > 1

describe('of generated families', () => {
  test('the MRN of "one patient" reaches nobody but those of whom it was said, whoever comes or goes since', () => {
    fc.assert(
      fc.property(family, typed, fc.infiniteStream(fc.boolean()), (all, mrns, chance) => {
        const pick = () => all.filter(() => chance.next().value)
        const onePatient = { keys: pick().map((row) => row.key), mrn: 'COMMON' }
        const rows = pick()
        const given = rows.filter((row) => mrnOf(row, rows, { mrns, onePatient }) === 'COMMON')
        const isSame = given.length === rows.length && given.length === onePatient.keys.length
        expect(given.length === 0 || isSame).toBe(true)
        expect(given.every((row) => onePatient.keys.includes(row.key))).toBe(true)
        expect(given.length > 0 && (differsIn(rows, 'birthDate') || differsIn(rows, 'sex'))).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  test('no two rows of different birth dates get one MRN unseen, whatever is typed and ticked', () => {
    fc.assert(
      fc.property(family, typed, fc.boolean(), (rows, mrns, isTicked) => {
        const onePatient = isTicked ? { keys: rows.map((row) => row.key), mrn: 'COMMON' } : undefined
        const entries = { mrns, onePatient }
        const clashes = findRowClashes(rows, entries)
        const issuerOf = (row: MrnRow) => (mrnOf(row, rows, entries) === row.mrn ? row.issuer : '')
        for (const [at, one] of rows.entries()) {
          for (const other of rows.slice(at + 1)) {
            const mrn = mrnOf(one, rows, entries)
            const isShared = mrn !== '' && mrn.toUpperCase() === mrnOf(other, rows, entries).toUpperCase()
            const issuers = [issuerOf(one), issuerOf(other)]
            const isKnownApart = !issuers.includes('') && issuers[0] !== issuers[1]
            const areDifferent = one.birthDate === '19611103' && other.birthDate.startsWith('1980')
            const clash = clashes.find((found) => found.rows.includes(one) && found.rows.includes(other))
            expect(isShared && !isKnownApart && areDifferent && clash?.verdict !== 'different').toBe(false)
            expect(clash !== undefined && (!isShared || isKnownApart)).toBe(false)
          }
        }
      }),
      { numRuns: 2000 },
    )
  })
})
