import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/** Objects that custom fields are defined for; of Patient, Case, Appointment, Dicomdata, Scanner and Query nobody fills them. */
const customFieldObjects = [
  'Study',
  'User_account',
  'Group',
  'Location',
  'Account',
  'Patient',
  'Case',
  'Order',
  'Appointment',
  'Dicomdata',
  'Scanner',
  'Query',
] as const
export type CustomFieldObject = (typeof customFieldObjects)[number]

/** Checkboxes and bools are kept as 1 or 0, multiselects and pickers as text with commas, dates as YYYY-MM-DD. */
const customFieldTypes = [
  'text',
  'number',
  'date',
  'memo',
  'select',
  'multiselect',
  'radio',
  'checkbox',
  'search',
  'bool',
  'picker',
] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

/** Types that choose from `options.values`. */
export const choosingTypes: ReadonlySet<CustomFieldType> = new Set(['select', 'multiselect', 'radio', 'picker'])
/** Most letters of a value, unless `options.max_length` says fewer. */
export const maxCustomFieldLength = 10_000

/** Options that are understood here; others are kept and given back (`api-facts` §3, customfield/add). */
export const customFieldOptions = z.looseObject({
  values: z.optional(z.array(z.string())),
  /** Texts shown for the values, in their order. */
  labels: z.optional(z.array(z.string())),
  field_label: z.optional(z.string()),
  hint: z.optional(z.string()),
  max_length: z.optional(z.union([z.number(), z.string()])),
  forbid_future_dates: z.optional(z.union([z.number(), z.string(), z.boolean()])),
})
export type CustomFieldOptions = z.infer<typeof customFieldOptions>

/** Where a field is shown: `ui_json.show_on_pages`, e.g. `["exchange", "summary"]` (EXCHANGE-01). */
export const customFieldUi = z.looseObject({ show_on_pages: z.optional(z.union([z.array(z.string()), z.string()])) })

/** Flags and texts that are kept for outside clients. Of `dicom_tag` the values follow its VR; the others change nothing here. */
export const storedFlags = [
  'capture_on_share_code',
  'capture_on_destination_search',
  'wrapped_dicom_only',
  'dicom_only',
  'load_hl7',
  'load_dicom_tag',
  'dicom_tag_ignore_empty',
  'load_order',
  'other_customfield_no_overwrite_with_blank',
  'other_customfield_no_refresh_on_reshare',
] as const
export const storedTexts = [
  'hl7_segment',
  'hl7_field',
  'hl7_component',
  'load_hl7_filter',
  'dicom_tag',
  'load_from_sr',
  'other_customfield_id',
] as const

/** Segments of HL7 that a field can be mapped to. */
export const hl7Segments: ReadonlySet<string> = new Set('NTE PID PID1 PV1 PV2 OBR DG1 OBX CTI BLG ORC'.split(' '))
/** Objects whose fields can be mapped to segments of HL7, and to attributes of images. */
export const hl7Objects: ReadonlySet<CustomFieldObject> = new Set(['Study', 'Patient', 'Order', 'Appointment', 'Case'])
export const imageObjects: ReadonlySet<CustomFieldObject> = new Set(['Study', 'Patient', 'Order', 'Dicomdata', 'Case'])

const mappingErrors = [
  'INVALID_DICOM_TAG',
  'INVALID_DICOM_TAG_OBJECT',
  'INVALID_HL7_FIELD',
  'INVALID_HL7_OBJECT',
  'INVALID_HL7_SEGMENT',
  'NO_DICOM_TAG_DEFINED',
] as const

type Named<Names extends readonly string[], Type> = Record<Names[number], Type>
const shapeOf = <const Names extends readonly string[], Type>(names: Names, type: () => Type) =>
  Object.fromEntries(names.map((name) => [name, type()])) as Named<Names, Type> // one entry for each name

const customFieldObject = z.object({
  uuid: z.string(),
  account_id: z.string(),
  name: z.string(),
  object: z.enum(customFieldObjects),
  type: z.enum(customFieldTypes),
  display_order: z.nullable(z.number()),
  required: z.number(),
  options: z.nullable(customFieldOptions),
  ui_json: z.nullable(customFieldUi),
  field_flag: z.string(),
  other_dicom_tags: z.unknown(),
  customfield_mapping: z.array(z.unknown()),
  /** Of a field by which nominations speak to outside clients, and which cannot be deleted: its key (`meta_info_customfields`); else empty. Ours. */
  gate_key: z.string(),
  ...shapeOf(storedFlags, z.number),
  ...shapeOf(storedTexts, z.string),
})
export type CustomFieldDefinition = z.infer<typeof customFieldObject>

export const customfieldList = defineCall({
  path: 'customfield/list',
  reads: true,
  summary: "Lists an account's custom fields, in the order in which they are shown.",
  on: { kind: 'account', by: ['account_id'], may: 'seeCustomFields' },
  list: {
    object: 'customfield',
    rowsKey: 'customfields',
    filters: {
      uuid: 'uuid',
      name: 'text',
      object: 'exact',
      type: 'exact',
      required: 'flag',
      display_order: 'integer',
      field_flag: 'exact',
      ...shapeOf(storedFlags, () => 'flag' as const),
      ...shapeOf(storedTexts, () => 'exact' as const),
    },
    sorts: ['name', 'display_order', 'object', 'type'],
    defaultRows: 1000,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ customfields: z.array(customFieldObject), page: wire.page }),
  errors: [],
})

export const customfieldGet = defineCall({
  path: 'customfield/get',
  reads: true,
  summary: 'Reads one custom field.',
  on: { kind: 'account', by: ['uuid'], owner: 'customfield', may: 'seeCustomFields' },
  input: z.object({ uuid: wire.id() }),
  output: customFieldObject,
  errors: [],
})

const values = {
  display_order: z.optional(wire.integer()),
  required: z.optional(wire.flag()),
  options: z.optional(wire.json(z.unknown())),
  ui_json: z.optional(wire.json(z.unknown())),
  field_flag: z.optional(wire.clearableText()),
  other_dicom_tags: z.optional(wire.json(z.unknown())),
  ...shapeOf(storedFlags, () => z.optional(wire.flag())),
  ...shapeOf(storedTexts, () => z.optional(wire.clearableText())),
}

export const customfieldAdd = defineCall({
  path: 'customfield/add',
  once: {},
  summary: 'Defines a custom field for all objects of a kind in an account.',
  on: { kind: 'account', by: ['account_id'], may: 'editCustomFields' },
  input: z.object({
    account_id: wire.id(),
    name: wire.text(),
    object: wire.oneOf(customFieldObjects, 'INVALID_OBJECT'),
    type: z.optional(wire.oneOf(customFieldTypes, 'INVALID_TYPE')),
    ...values,
  }),
  output: z.object({ uuid: z.string() }),
  errors: [
    'ACCOUNT_NOT_FOUND',
    ...mappingErrors,
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_TYPE',
    'INVALID_OBJECT',
    'INVALID_JSON',
    'INVALID_OPTIONS',
    'INVALID_FIELD',
  ],
})

export const customfieldSet = defineCall({
  path: 'customfield/set',
  summary:
    'Changes a custom field; its type and object stay, since values are kept in their form. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  on: { kind: 'account', by: ['uuid'], owner: 'customfield', may: 'editCustomFields' },
  input: z.object({ uuid: wire.id(), name: z.optional(wire.text()), ...values, seen: wire.seen() }),
  output: wire.statusOnly,
  errors: [
    ...mappingErrors,
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_JSON',
    'INVALID_OPTIONS',
    'INVALID_FIELD',
    'STALE',
  ],
})

export const customfieldDelete = defineCall({
  path: 'customfield/delete',
  summary:
    'Removes a custom field; its values are shown no more. IN_USE for fields that nominations write, and with the names in error_data where routing rules have a condition on it (routes), or nomination forms ask for it (groups).',
  on: { kind: 'account', by: ['uuid'], owner: 'customfield', may: 'editCustomFields' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['IN_USE'],
})

export const customfieldUsage = defineCall({
  path: 'customfield/usage',
  reads: true,
  ours: true,
  summary: 'Tells what would be lost with a custom field: its values, and what names it.',
  on: { kind: 'account', by: ['uuid'], owner: 'customfield', may: 'editCustomFields' },
  input: z.object({ uuid: wire.id() }),
  output: z.object({
    /** Objects that have a value in it, deleted exams that can be restored among them. */
    filled: z.number(),
    /** Names of the groups whose nomination form asks for it. */
    forms: z.array(z.string()),
    /** Names of the routing rules with a condition on it. */
    rules: z.array(z.string()),
    /** Nominations write it, so that it cannot be removed. */
    gate: flagOut,
  }),
  errors: [],
})

export const customfieldLookup = defineCall({
  path: 'customfield/lookup',
  reads: true,
  summary: "Finds an account's custom field by its name, for every member.",
  on: { kind: 'account', by: ['account_id'], may: 'enterPlace' },
  input: z.object({ account_id: wire.id(), name: wire.anyText() }),
  output: z.object({ uuid: z.string(), object: z.enum(customFieldObjects), type: z.enum(customFieldTypes) }),
  errors: [],
})
