import {
  choosingTypes,
  type CustomFieldOptions,
  type CustomFieldType,
  customFieldOptions,
  customFieldUi,
  hl7Objects,
  hl7Segments,
  imageObjects,
  storedFlags,
  storedTexts,
} from '@hilum/contract/calls/customfield'
import { ApiError } from '@hilum/contract/errors'
import { hasHiddenSign } from '@hilum/contract/hidden-signs'
import type { CustomFieldRow } from './customfield.sql.ts'
import { mappedVr } from './mapped-attribute.ts'

const maxNameLength = 200
const maxJsonLength = 50_000

interface SentDefinition {
  name?: string | undefined
  display_order?: number | undefined
  required?: 0 | 1 | undefined
  options?: unknown
  ui_json?: unknown
  field_flag?: string | undefined
  other_dicom_tags?: unknown
  dicom_tag?: string | undefined
  load_dicom_tag?: 0 | 1 | undefined
  hl7_segment?: string | undefined
  hl7_field?: string | undefined
  hl7_component?: string | undefined
}

/**
 * A definition with what was sent put over it.
 * @throws ApiError INVALID_OPTIONS when the type chooses and there is nothing to choose from, or the options have
 *   another form; what `demandMapping` throws; INVALID_FIELD for a name or JSON that is too long
 */
export function readDefinition(before: CustomFieldRow, sent: SentDefinition): CustomFieldRow {
  const name = (sent.name ?? before.name).trim()
  if (name === '' || name.length > maxNameLength || /\p{Cc}/u.test(name)) {
    throw new ApiError('INVALID_FIELD', { subtype: 'name' })
  }
  if (sent.options !== undefined && hasHiddenSign(JSON.stringify(sent.options))) throw new ApiError('INVALID_OPTIONS')
  const values = sent as Readonly<Record<string, unknown>>
  demandMapping(before, sent)
  const given = [...storedFlags, ...storedTexts, 'other_dicom_tags'].filter((key) => values[key] !== undefined)
  return {
    ...before,
    name,
    display_order: sent.display_order ?? before.display_order,
    required: sent.required === undefined ? before.required : sent.required === 1,
    options: readOptions(before.type, sent.options === undefined ? before.options : sent.options),
    ui_json: sent.ui_json === undefined ? before.ui_json : readUi(sent.ui_json),
    field_flag: sent.field_flag ?? before.field_flag,
    extra: { ...before.extra, ...Object.fromEntries(given.map((key) => [key, values[key]])) },
  }
}

/** Only the fields that were sent are judged, so that a definition from before a rule can be changed elsewhere. */
function demandMapping({ object, extra }: CustomFieldRow, sent: SentDefinition): void {
  const { dicom_tag: tag, hl7_segment: segment } = sent
  if (tag && !imageObjects.has(object)) throw new ApiError('INVALID_DICOM_TAG_OBJECT', { subtype: 'dicom_tag' })
  if (tag && mappedVr(tag) === undefined) throw new ApiError('INVALID_DICOM_TAG', { subtype: 'dicom_tag' })
  if (sent.load_dicom_tag === 1 && !(tag ?? extra['dicom_tag'])) {
    throw new ApiError('NO_DICOM_TAG_DEFINED', { subtype: 'load_dicom_tag' })
  }
  if (segment && !hl7Objects.has(object)) throw new ApiError('INVALID_HL7_OBJECT', { subtype: 'hl7_segment' })
  if (segment && !hl7Segments.has(segment)) throw new ApiError('INVALID_HL7_SEGMENT', { subtype: 'hl7_segment' })
  for (const name of ['hl7_field', 'hl7_component'] as const) {
    if (sent[name] && !/^[1-9]\d{0,2}$/.test(sent[name])) throw new ApiError('INVALID_HL7_FIELD', { subtype: name })
  }
}

function readOptions(type: CustomFieldType, sent: unknown): CustomFieldOptions | null {
  const isEmpty = sent === null || sent === undefined || sent === ''
  const read = isEmpty ? undefined : customFieldOptions.safeParse(separated(sent))
  if (read && (!read.success || JSON.stringify(read.data).length > maxJsonLength)) throw new ApiError('INVALID_OPTIONS')
  const values = read?.data?.values ?? []
  if (choosingTypes.has(type) && (values.length === 0 || values.some((one) => one.trim() === ''))) {
    throw new ApiError('INVALID_OPTIONS', { subtype: 'values' })
  }
  return read?.data ?? null
}

/** Values are a list; text with commas or lines is read too. */
function separated(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || !('values' in sent) || typeof sent.values !== 'string') return sent
  return {
    ...sent,
    values: sent.values
      .split(/[\n,]/)
      .map((one) => one.trim())
      .filter(Boolean),
  }
}

function readUi(sent: unknown): Record<string, unknown> | null {
  if (sent === null || sent === '') return null
  const read = customFieldUi.safeParse(sent)
  if (!read.success || JSON.stringify(read.data).length > maxJsonLength) {
    throw new ApiError('INVALID_FIELD', { subtype: 'ui_json' })
  }
  return read.data
}
