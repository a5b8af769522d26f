import {
  choosingTypes,
  type CustomFieldOptions,
  type CustomFieldType,
  maxCustomFieldLength,
} from './calls/customfield.ts'
import { hasHiddenSign } from './hidden-signs.ts'

/** Why a value is not acceptable; `most` with tooLong. */
export type CustomFieldFault =
  | { kind: 'tooLong'; most: number }
  | { kind: 'required' | 'number' | 'date' | 'future' | 'flag' | 'control' | 'choice' }

interface RuledField {
  type: CustomFieldType
  required: boolean
  options: CustomFieldOptions | null
}

/** Most letters that a value of this field has. */
export function longestValue(options: CustomFieldOptions | null): number {
  return Math.min(Number(options?.max_length) || maxCustomFieldLength, maxCustomFieldLength)
}

/**
 * The fault of a value for a custom field; undefined when there is none. The form and the server use the same check.
 * @param sent as it is sent: dates YYYY-MM-DD, flags 1 or 0, several choices with commas; empty clears the field
 */
export function customFieldFault(field: RuledField, sent: string, today: Date): CustomFieldFault | undefined {
  const value = sent.trim()
  if (value === '') return field.required ? { kind: 'required' } : undefined
  const most = longestValue(field.options)
  if (value.length > most) return { kind: 'tooLong', most }
  if (choosingTypes.has(field.type)) return isChoice(field, value) ? undefined : { kind: 'choice' }
  switch (field.type) {
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(value) ? undefined : { kind: 'number' }
    case 'date':
      return faultOfDate(field.options, value, today)
    case 'checkbox':
    case 'bool':
      return /^[01]$/.test(value) ? undefined : { kind: 'flag' }
    case 'memo':
      return hasHiddenSign(value) ? { kind: 'control' } : undefined
    default:
      return /\p{Cc}/u.test(value) || hasHiddenSign(value) ? { kind: 'control' } : undefined
  }
}

function isChoice({ type, options }: RuledField, value: string): boolean {
  const allowed = new Set(options?.values ?? [])
  const isSeveral = type === 'multiselect' || type === 'picker'
  const chosen = isSeveral && !allowed.has(value) ? value.split(',').map((one) => one.trim()) : [value]
  return chosen.every((one) => allowed.has(one))
}

function faultOfDate(options: CustomFieldOptions | null, value: string, today: Date): CustomFieldFault | undefined {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value) return { kind: 'date' }
  const isForbidden = [1, '1', true].includes(options?.forbid_future_dates as never)
  return isForbidden && value > today.toISOString().slice(0, 10) ? { kind: 'future' } : undefined
}
