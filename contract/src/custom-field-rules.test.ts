import { describe, expect, it } from 'vitest'
import type { CustomFieldOptions, CustomFieldType } from './calls/customfield.ts'
import { customFieldFault, longestValue } from './custom-field-rules.ts'

const today = new Date('2026-03-01T23:00:00Z')
const faultOf = (type: CustomFieldType, sent: string, options: CustomFieldOptions | null = null, required = false) =>
  customFieldFault({ type, required, options }, sent, today)?.kind

describe('a value of a custom field', () => {
  it.each<[CustomFieldType, string, string | undefined]>([
    ['number', '7', undefined],
    ['number', '-7.25', undefined],
    ['number', ' 7 ', undefined],
    ['number', '7.', 'number'],
    ['number', '.5', 'number'],
    ['number', 'seven 7', 'number'],
    ['number', '7 apples', 'number'],
    ['number', '70', undefined],
    ['date', '2026-02-28', undefined],
    ['date', '2026-02-30', 'date'],
    ['date', '2026-13-01', 'date'],
    ['date', '20260228', 'date'],
    ['date', '2026-02-28T10', 'date'],
    ['date', 'x2026-02-28', 'date'],
    ['date', '2999-01-01', undefined],
    ['checkbox', '1', undefined],
    ['checkbox', '0', undefined],
    ['checkbox', '2', 'flag'],
    ['bool', '1', undefined],
    ['bool', '10', 'flag'],
    ['bool', 'x1', 'flag'],
    ['memo', 'one\ntwo\r\n\tthree', undefined],
    ['memo', 'bell\u0007', 'control'],
    ['text', 'Ward 3', undefined],
    ['text', 'one\ntwo', 'control'],
    ['text', 'delete\u007f', 'control'],
  ])('of type %s: %j has the fault %s', (type, sent, fault) => {
    expect(faultOf(type, sent)).toBe(fault)
  })

  it('may be empty unless it is required', () => {
    expect(faultOf('number', '')).toBeUndefined()
    expect(faultOf('number', '  ', null, true)).toBe('required')
    expect(faultOf('number', '7', null, true)).toBeUndefined()
  })

  it('has so many letters at most, and the fault says how many', () => {
    expect(faultOf('text', 'abcd', { max_length: 4 })).toBeUndefined()
    expect(customFieldFault({ type: 'text', required: false, options: { max_length: '4' } }, 'abcde', today)).toEqual({
      kind: 'tooLong',
      most: 4,
    })
    expect(longestValue(null)).toBe(10_000)
    expect(longestValue({})).toBe(10_000)
    expect(longestValue({ max_length: 20_000 })).toBe(10_000)
    expect(longestValue({ max_length: 'many' })).toBe(10_000)
    expect(longestValue({ max_length: 12 })).toBe(12)
  })

  it.each([1, '1', true])('that is a date may not lie ahead where %j forbids it', (forbid_future_dates) => {
    expect(faultOf('date', '2026-03-02', { forbid_future_dates })).toBe('future')
    expect(faultOf('date', '2026-03-01', { forbid_future_dates })).toBeUndefined()
    expect(faultOf('date', '2026-03-02', { forbid_future_dates: 0 })).toBeUndefined()
  })

  it.each<CustomFieldType>(['select', 'radio'])('of type %s is one of the choices', (type) => {
    expect(faultOf(type, 'a', { values: ['a', 'b'] })).toBeUndefined()
    expect(faultOf(type, 'c', { values: ['a', 'b'] })).toBe('choice')
    expect(faultOf(type, 'a,b', { values: ['a', 'b'] })).toBe('choice')
    expect(faultOf(type, 'a', null)).toBe('choice')
  })

  it.each<CustomFieldType>(['multiselect', 'picker'])('of type %s is some of the choices', (type) => {
    expect(faultOf(type, 'a, b', { values: ['a', 'b'] })).toBeUndefined()
    expect(faultOf(type, 'a,c', { values: ['a', 'b'] })).toBe('choice')
    expect(faultOf(type, 'Doe, Jane', { values: ['Doe, Jane'] })).toBeUndefined()
  })
})
