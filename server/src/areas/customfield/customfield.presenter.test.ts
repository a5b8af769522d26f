import { storedFlags, storedTexts } from '@hilum/contract/calls/customfield'
import { expect, it } from 'vitest'
import { presentCustomField, presentFieldValues } from './customfield.presenter.ts'
import type { CustomFieldRow } from './customfield.sql.ts'

const row: CustomFieldRow = {
  uuid: 'field',
  account_uuid: 'account',
  name: 'Ward',
  object: 'Study',
  type: 'text',
  display_order: 4,
  required: true,
  options: { hint: 'of admission' },
  ui_json: null,
  field_flag: 'O',
  extra: {},
}

it('shows a definition, and what outside clients keep in it as they wrote it', () => {
  const nothing = Object.fromEntries([
    ...storedFlags.map((name) => [name, 0] as const),
    ...storedTexts.map((name) => [name, ''] as const),
  ])
  const shown = {
    ...nothing,
    uuid: 'field',
    account_id: 'account',
    name: 'Ward',
    object: 'Study',
    type: 'text',
    display_order: 4,
    required: 1,
    options: { hint: 'of admission' },
    ui_json: null,
    field_flag: 'O',
    gate_key: '',
    other_dicom_tags: null,
    customfield_mapping: [],
  }
  expect(presentCustomField(row)).toEqual(shown)
  const extra = { load_hl7: 1, dicom_only: 0, dicom_tag: '(0010,0010)', hl7_field: 3, other_dicom_tags: ['00100010'] }
  expect(presentCustomField({ ...row, required: false, extra })).toEqual({
    ...shown,
    required: 0,
    load_hl7: 1,
    dicom_tag: '(0010,0010)',
    hl7_field: '3',
    other_dicom_tags: ['00100010'],
  })
})

it('shows every defined field of an object, an empty one too', () => {
  const common = { name: 'Ward', type: 'text', options: { hint: 'of admission' }, ui_json: null }
  expect(presentFieldValues([row, { ...row, uuid: 'other', required: false }], { field: '3B', gone: 'x' })).toEqual([
    { ...common, uuid: 'field', value: '3B', required: 1 },
    { ...common, uuid: 'other', value: '', required: 0 },
  ])
})
