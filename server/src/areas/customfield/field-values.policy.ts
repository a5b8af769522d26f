import { choosingTypes, maxCustomFieldLength } from '@hilum/contract/calls/customfield'
import { ApiError } from '@hilum/contract/errors'
import type { CustomFieldRow } from './customfield.sql.ts'

export interface FieldValue {
  uuid: string
  name: string
  value: string
}

const sentForm = /^customfield-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

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

function faultOf(field: CustomFieldRow, sent: string | undefined, today: Date): string | undefined {
  if (sent === undefined) return 'not a text'
  const value = sent.trim()
  if (value === '') return field.required ? 'a value is required' : undefined
  const most = Math.min(Number(field.options?.max_length) || maxCustomFieldLength, maxCustomFieldLength)
  if (value.length > most) return `longer than ${most} characters`
  if (choosingTypes.has(field.type)) return faultOfChoice(field, value)
  switch (field.type) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(value) ? undefined : 'not a number'
    case 'date':
      return faultOfDate(field, value, today)
    case 'checkbox':
    case 'bool':
      return /^[01]$/.test(value) ? undefined : 'neither 0 nor 1'
    case 'memo':
      return /[^\P{Cc}\t\r\n]/u.test(value) ? 'holds control characters' : undefined
    default:
      return /\p{Cc}/u.test(value) ? 'holds control characters' : undefined
  }
}

function faultOfChoice(field: CustomFieldRow, value: string): string | undefined {
  const allowed = new Set(field.options?.values ?? [])
  const isSeveral = field.type === 'multiselect' || field.type === 'picker'
  const chosen = isSeveral && !allowed.has(value) ? value.split(',').map((one) => one.trim()) : [value]
  return chosen.every((one) => allowed.has(one)) ? undefined : 'not one of its options'
}

function faultOfDate(field: CustomFieldRow, value: string, today: Date): string | undefined {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value) return 'not a date'
  const isForbidden = [1, '1', true].includes(field.options?.forbid_future_dates as never)
  return isForbidden && value > today.toISOString().slice(0, 10) ? 'lies in the future' : undefined
}

function readText(sent: unknown): string | undefined {
  if (typeof sent === 'string') return sent
  if (typeof sent === 'number') return String(sent)
  if (typeof sent === 'boolean') return sent ? '1' : '0'
  // several choices come as a list from JSON clients
  return Array.isArray(sent) && sent.every((one) => typeof one === 'string') ? sent.join(',') : undefined
}
