import { describe, expect, it } from 'vitest'
import { studyFieldFlags } from './permissions.ts'
import {
  closedFieldFlags,
  customFieldAccessOf,
  fieldAccesses,
  fieldAccessOf,
  narrowedFields,
  readFieldFlags,
} from './study-field-access.ts'

const uuid = 'c0ffee00-0000-4000-8000-000000000001'
const custom = `study_field_customfield_${uuid}`

describe('flags of fields as they are kept', () => {
  it.each(fieldAccesses)('mean %s', (access) => {
    const kept = { study_field_patientid: access, [custom]: access }
    expect(readFieldFlags(kept)).toEqual({ flags: kept, isReadable: true })
  })

  it('hide a field whose access is none, and say so', () => {
    const kept = { study_field_patientid: 'X', study_field_patient_name: 'O', [custom]: 1 }
    expect(readFieldFlags(kept)).toEqual({
      flags: { study_field_patientid: 'H', study_field_patient_name: 'O', [custom]: 'H' },
      isReadable: false,
    })
  })

  it('that name no field are passed over', () => {
    const names = [
      'study_field_nothing',
      'study_view',
      `x${custom}`,
      `${custom}0`,
      'study_field_customfield_1',
      'study_field_customfield',
      `study_field_customfield_${'-'.repeat(36)}`,
      `study_field_customfield_c0ffee00-0000-000000000001`,
    ]
    expect(readFieldFlags(Object.fromEntries(names.map((name) => [name, 'H'])))).toEqual({
      flags: {},
      isReadable: true,
    })
  })
})

describe('what is left of a field', () => {
  it('is all of it where nothing is said', () => {
    expect(fieldAccessOf({}, 'patient_name')).toBe('F')
    expect(fieldAccessOf({ study_field_patient_name: 'R' }, 'patient_name')).toBe('R')
    expect(customFieldAccessOf({}, { uuid })).toBe('F')
  })

  it('of a custom field says the role first, then its definition', () => {
    expect(customFieldAccessOf({ [custom]: 'R' }, { uuid, field_flag: 'O' })).toBe('R')
    expect(customFieldAccessOf({}, { uuid, field_flag: 'O' })).toBe('O')
    expect(customFieldAccessOf({}, { uuid, field_flag: 'nonsense' })).toBe('F')
  })

  it('is nothing of any field once all are closed', () => {
    expect(narrowedFields).toContain('patient_name')
    for (const field of narrowedFields) expect(fieldAccessOf(closedFieldFlags, field)).toBe('H')
    expect(customFieldAccessOf(closedFieldFlags, { uuid, field_flag: 'F' })).toBe('H')
    expect(Object.keys(closedFieldFlags)).toHaveLength(studyFieldFlags.length + 1)
  })
})
