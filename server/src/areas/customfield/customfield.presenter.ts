import { type CustomFieldDefinition, storedFlags, storedTexts } from '@hilum/contract/calls/customfield'
import type { CustomField } from '@hilum/contract/entities/page-fields'
import type { CustomFieldRow } from './customfield.sql.ts'

export function presentCustomField(row: CustomFieldRow): CustomFieldDefinition {
  const flags = Object.fromEntries(storedFlags.map((name) => [name, row.extra[name] === 1 ? 1 : 0]))
  const texts = Object.fromEntries(storedTexts.map((name) => [name, String(row.extra[name] ?? '')]))
  return {
    uuid: row.uuid,
    account_id: row.account_uuid,
    name: row.name,
    object: row.object,
    type: row.type,
    display_order: row.display_order,
    required: row.required ? 1 : 0,
    options: row.options,
    ui_json: row.ui_json,
    field_flag: row.field_flag,
    other_dicom_tags: row.extra.other_dicom_tags ?? null,
    customfield_mapping: [],
    gate_key: row.gate_key ?? '',
    ...(flags as Pick<CustomFieldDefinition, (typeof storedFlags)[number]>), // one entry for each name
    ...(texts as Pick<CustomFieldDefinition, (typeof storedTexts)[number]>),
  }
}

/** The fields of an object as part of it: all that are defined, those without a value too. */
export function presentFieldValues(
  definitions: readonly CustomFieldRow[],
  values: Readonly<Record<string, string>>,
): CustomField[] {
  return definitions.map((one) => ({
    uuid: one.uuid,
    name: one.name,
    type: one.type,
    value: values[one.uuid] ?? '',
    required: one.required ? 1 : 0,
    options: one.options,
    ui_json: one.ui_json,
  }))
}
