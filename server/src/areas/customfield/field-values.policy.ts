import { type CustomFieldFault, customFieldFault } from '@hilum/contract/custom-field-rules'
import { ApiError } from '@hilum/contract/errors'
import type { CustomFieldRow } from './customfield.sql.ts'
import { faultOfMapped } from './mapped-attribute.ts'

export interface FieldValue {
  uuid: string
  name: string
  value: string
}

const sentForm = /^customfield-(.+)$/i

export function sendsFieldValues(raw: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(raw).some((key) => sentForm.test(key))
}

/**
 * The values sent as `customfield-{uuid}`, in the form in which they are kept. An empty value clears its field.
 * @throws ApiError INVALID_CUSTOMFIELD with a sentence for each value that is not acceptable
 */
export function readFieldValues(
  definitions: readonly CustomFieldRow[],
  raw: Readonly<Record<string, unknown>>,
  today = new Date(),
): FieldValue[] {
  const byUuid = new Map(definitions.map((one) => [one.uuid, one]))
  const faults: string[] = []
  const values: FieldValue[] = []
  for (const [key, sent] of Object.entries(raw)) {
    const uuid = sentForm.exec(key)?.[1]?.toLowerCase()
    if (!uuid) continue
    const definition = byUuid.get(uuid)
    const value = readText(sent)
    const fault = definition ? faultOf(definition, value, today) : 'no such field'
    if (fault) faults.push(`${definition?.name ?? uuid}: ${fault}`)
    else if (definition && value !== undefined) values.push({ uuid, name: definition.name, value: value.trim() })
  }
  if (faults.length > 0) throw new ApiError('INVALID_CUSTOMFIELD', { subtype: faults })
  return values
}

/**
 * As `readFieldValues`, of a form that has to be filled in: a required field that was not sent is a fault too.
 * @throws ApiError INVALID_CUSTOMFIELD with a sentence for each value that is not acceptable, or lacks
 */
export function readFilledForm(
  definitions: readonly CustomFieldRow[],
  raw: Readonly<Record<string, unknown>>,
): FieldValue[] {
  const values = readFieldValues(definitions, raw)
  const filled = new Set(values.filter(({ value }) => value !== '').map(({ uuid }) => uuid))
  const lacking = definitions.filter(({ required, uuid }) => required && !filled.has(uuid))
  if (lacking.length === 0) return values
  throw new ApiError('INVALID_CUSTOMFIELD', { subtype: lacking.map(({ name }) => `${name}: ${words.required}`) })
}

/** The values of an object with other ones put over them; an empty value clears its field. */
export function mergeFieldValues(
  before: Readonly<Record<string, string>>,
  values: readonly FieldValue[],
): Record<string, string> {
  const all = { ...before, ...Object.fromEntries(values.map((one) => [one.uuid, one.value])) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

function faultOf(field: CustomFieldRow, sent: string | undefined, today: Date): string | undefined {
  if (sent === undefined) return 'not a text'
  const fault = customFieldFault(field, sent, today)
  if (!fault) return faultOfMapped(field, sent.trim())
  return fault.kind === 'tooLong' ? `longer than ${fault.most} characters` : words[fault.kind]
}

const words = {
  required: 'a value is required',
  choice: 'not one of its options',
  number: 'not a number',
  date: 'not a date',
  future: 'lies in the future',
  flag: 'neither 0 nor 1',
  control: 'holds control characters',
} as const satisfies Record<Exclude<CustomFieldFault['kind'], 'tooLong'>, string>

function readText(sent: unknown): string | undefined {
  if (typeof sent === 'string') return sent
  if (typeof sent === 'number') return String(sent)
  if (typeof sent === 'boolean') return sent ? '1' : '0'
  // several choices come as a list from JSON clients
  return Array.isArray(sent) && sent.every((one) => typeof one === 'string') ? sent.join(',') : undefined
}
