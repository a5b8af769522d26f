import { closedFieldFlags } from '@hilum/contract/study-field-access'
import { expect, it } from 'vitest'
import { readStoredFieldFlags } from './stored-field-flags.ts'

it('hides nothing where nothing is kept', () => {
  expect(readStoredFieldFlags(null)).toEqual({ flags: {}, isReadable: true })
  expect(readStoredFieldFlags(undefined)).toEqual({ flags: {}, isReadable: true })
  expect(readStoredFieldFlags('{}')).toEqual({ flags: {}, isReadable: true })
})

it('reads what is kept', () => {
  expect(readStoredFieldFlags('{"study_field_patient_name": "O"}')).toEqual({
    flags: { study_field_patient_name: 'O' },
    isReadable: true,
  })
})

it.each(['', 'H', 'null', '[]', '["study_field_patient_name"]', '7', '"H"', '{'])(
  'hides every field where %j is kept',
  (kept) => {
    expect(readStoredFieldFlags(kept)).toEqual({ flags: closedFieldFlags, isReadable: false })
  },
)

it('hides a field whose access cannot be read', () => {
  expect(readStoredFieldFlags('{"study_field_patient_name": "X"}')).toEqual({
    flags: { study_field_patient_name: 'H' },
    isReadable: false,
  })
})
