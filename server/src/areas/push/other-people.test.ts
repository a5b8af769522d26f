import { compareIdentities } from '@hilum/dicom/identity'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asIdentity, type ComparedPatient } from '../storage/compared-patient.ts'
import { describeOthers, findOtherPeople } from './other-people.ts'

const jane: ComparedPatient = {
  patient_name: 'Doe^Jane',
  patientid: 'HM-1',
  issuer: '',
  patient_birth_date: '19600412',
  patient_sex: 'F',
}
const say = { isOther: 'Another', mayBeOther: 'Perhaps another' }

/** Every kind of difference, with a value that has it beside those of `jane`; the kinds that are none ask nothing. */
const names = {
  none: ['Doe^Jane', 'DOE^JANE', 'Doe^Jane^Quinn', 'Jane^Doe', 'Dóe^Jane'],
  other: ['Doe^Joan', 'Doe^Janet', 'Roe^Jane', 'Zorro^Zoe', 'Doe^J', 'Doe', ''],
}
const birthDates = { none: ['19600412'], other: ['19900412', '19601204', '19600421', '196004', '1960', '19301224', ''] }
const sexes = { none: ['F', 'O', ''], other: ['M'] }
const issuers = { same: ['', 'HIS', 'his'], other: ['ELSEWHERE'] }

const valueOf = <Key extends string>(kinds: Record<Key, readonly string[]>) =>
  fc.oneof(
    ...Object.entries<readonly string[]>(kinds).map(([kind, values]) =>
      fc.constantFrom(...values).map((value) => ({ kind, value })),
    ),
  )
const differences = fc.record({
  name: valueOf(names),
  birthDate: valueOf(birthDates),
  sex: valueOf(sexes),
  issuer: valueOf(issuers),
})

it.each<[string, readonly string[]]>([
  ['an organisation with a name for its authority', ['his']],
  ['an organisation without one', []],
])('[PROCESS-14] of two people under one MRN only the same one is passed over, whatever differs: %s', (_whose, own) => {
  fc.assert(
    fc.property(differences, fc.boolean(), ({ name, birthDate, sex, issuer }, isExam) => {
      const other: ComparedPatient = {
        patient_name: name.value,
        patientid: 'hm-1',
        issuer: issuer.value,
        patient_birth_date: birthDate.value,
        patient_sex: sex.value,
      }
      const [exam, holder] = isExam ? [other, jane] : [jane, other]
      const found = findOtherPeople(own, exam, [holder])
      // a holder without an authority may have the number of any
      const isOtherNumber = !isExam && own.length > 0 && issuer.kind === 'other'
      const isSame = [name, birthDate, sex].every(({ kind }) => kind === 'none')
      expect(found).toHaveLength(isSame || isOtherNumber ? 0 : 1)
      const [one, two] = [exam, holder].map((patient) => asIdentity({ ...patient, issuer: 'HIS' }))
      expect(one && two && compareIdentities(one, two).verdict === 'same').toBe(isSame)
      const words = describeOthers(found, say)?.words
      expect(words === undefined).toBe(found.length === 0)
      // never words without a difference
      expect(words ?? ': other x').toMatch(/: (other|too little is told of the) \w/)
    }),
    { numRuns: 3000 },
  )
})

it.each<[string, Partial<ComparedPatient>, string]>([
  ['a twin', { patient_name: 'Doe^Joan' }, 'Perhaps another: other name'],
  ['a parent', { patient_birth_date: '19900412' }, 'Perhaps another: other birth date'],
  ['a namesake of the other sex', { patient_sex: 'M' }, 'Perhaps another: other sex'],
  [
    'somebody without a birth date',
    { patient_birth_date: '' },
    'Perhaps another: too little is told of the birth date',
  ],
  [
    'somebody else of whom little is told',
    { patient_name: 'Roe^Rita', patient_birth_date: '' },
    'Another: other name; too little is told of the birth date',
  ],
])('says of %s what is not the same', (_who, difference, words) => {
  const found = findOtherPeople([], jane, [{ ...jane, ...difference }])
  expect(describeOthers(found, say)?.words).toBe(words)
})
