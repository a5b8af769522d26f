import type { FieldFlags } from '@hilum/contract/study-field-access'
import { describe, expect, it } from 'vitest'
import type { FieldValue } from '../customfield/field-values.policy.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import { asksHidden, demandFieldAccess, hiddenCustomFields, hiddenFields } from './field-access.policy.ts'

const uuid = 'c0ffee00-0000-4000-8000-000000000001'
const ward = { uuid, name: 'Ward', field_flag: '' } as CustomFieldRow
const other = { uuid: 'c0ffee00-0000-4000-8000-000000000002', name: 'Bed', field_flag: '' } as CustomFieldRow
const wardFlag = `study_field_customfield_${uuid}`

describe('hidden fields', () => {
  it('take with them all that would tell them', () => {
    expect(hiddenFields({})).toEqual([])
    expect(hiddenFields({ study_field_patient_name: 'O' })).toEqual([])
    expect(hiddenFields({ study_field_patientid: 'H' }).sort()).toEqual([
      'issuer',
      'medical_record_locator',
      'patientid',
      'patientid_other',
    ])
    expect(hiddenFields({ study_field_patient_name: 'H' }).sort()).toEqual([
      'patient_additional_history',
      'patient_address',
      'patient_birthname',
      'patient_comments',
      'patient_mother_birthname',
      'patient_name',
      'patient_name_other',
      'patient_phone',
    ])
    expect(hiddenFields({ study_field_study_date: 'H' })).toEqual(['study_date', 'study_time'])
    expect(hiddenFields({ study_field_patient_birth_date: 'H' })).toEqual(['patient_birth_date', 'patient_birth_time'])
    expect(hiddenFields({ study_field_study_description: 'H' })).toEqual(['study_description'])
  })

  it('are those of the account too', () => {
    expect(hiddenCustomFields({ [wardFlag]: 'H' }, [ward])).toEqual([ward])
    expect(hiddenCustomFields({ [wardFlag]: 'O' }, [ward])).toEqual([])
    expect(hiddenCustomFields({}, [{ ...ward, field_flag: 'H' }])).toHaveLength(1)
  })
})

describe('a search', () => {
  const asks = (flags: FieldFlags, field: string, definitions = [other, ward]) =>
    asksHidden(flags, { field }, definitions)

  it('asks about a hidden field by its own name, and by those that would tell it', () => {
    const flags: FieldFlags = { study_field_patientid: 'H' }
    expect(asks(flags, 'patientid')).toBe(true)
    expect(asks(flags, 'issuer')).toBe(true)
    expect(asks(flags, 'patient_name')).toBe(false)
  })

  it.each(['study_field_patient_name', 'study_field_patientid', 'study_field_accession_number'])(
    'in one box asks about %s',
    (flag) => {
      expect(asks({ [flag]: 'H' }, 'SMART_SEARCH')).toBe(true)
    },
  )

  it('in one box asks about nothing else', () => {
    expect(asks({ study_field_study_description: 'H' }, 'SMART_SEARCH')).toBe(false)
  })

  it('asks about a hidden custom field, however its name is written', () => {
    expect(asks({ [wardFlag]: 'H' }, `customfield-${uuid}`)).toBe(true)
    expect(asks({ [wardFlag]: 'H' }, `CUSTOMFIELD-${uuid.toUpperCase()}`)).toBe(true)
    expect(asks({ [wardFlag]: 'R' }, `customfield-${uuid}`)).toBe(false)
    expect(asks({}, `customfield-${uuid}`, [other, { ...ward, field_flag: 'H' }])).toBe(true)
    expect(asks({ [wardFlag]: 'H' }, `customfield-${uuid}`, [])).toBe(true)
    expect(asks({ [wardFlag]: 'H' }, 'customfield-')).toBe(false)
  })
})

describe('an edit', () => {
  const value = (text: string): FieldValue => ({ uuid, name: 'customfield-ward', value: text }) as FieldValue
  const demand = (
    flags: FieldFlags,
    tags: Record<string, string>,
    values: FieldValue[] = [],
    definitions = [other, ward],
  ) => demandFieldAccess(flags, tags, values, definitions)
  const refusal = (code: string, ...names: string[]) => expect.objectContaining({ code, detail: { subtype: names } })

  it('of what may be edited passes', () => {
    expect(() => demand({}, { patient_name: 'Doe', patientid: '' }, [value('')])).not.toThrow()
    expect(() => demand({ study_field_patient_name: 'R' }, { patient_name: 'Doe' })).not.toThrow()
    expect(() => demand({ study_field_patient_name: 'F' }, { patient_name: '' })).not.toThrow()
    expect(() => demand({ study_field_patientid: 'O' }, { patient_name: '' })).not.toThrow()
  })

  it('of fields that are hidden or for reading only is refused by their names', () => {
    const flags: FieldFlags = { study_field_patient_name: 'O', study_field_patientid: 'H', [wardFlag]: 'O' }
    const tags = { patient_name: 'Doe', patientid_other: '7', study_date: '20260301' }
    expect(() => demand(flags, tags, [value('3B')])).toThrow(
      refusal('NOT_PERMITTED', 'patient_name', 'patientid_other', 'customfield-ward'),
    )
    expect(() => demand({ [wardFlag]: 'H' }, {}, [value('3B')], [])).toThrow(
      refusal('NOT_PERMITTED', 'customfield-ward'),
    )
    expect(() => demand({}, {}, [value('3B')], [other, { ...ward, field_flag: 'O' }])).toThrow(
      refusal('NOT_PERMITTED', 'customfield-ward'),
    )
  })

  it('that clears a required field is refused by its name', () => {
    const flags: FieldFlags = { study_field_patient_name: 'R', [wardFlag]: 'R' }
    expect(() => demand(flags, { patient_name: '', patientid: '' }, [value('')])).toThrow(
      refusal('MISSING_FIELDS', 'patient_name', 'customfield-ward'),
    )
  })
})
