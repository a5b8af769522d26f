import { describe, expect, it } from 'vitest'
import { normaliseDate, normaliseTime, parseDate, parseDateTime, parseTime } from './dates.ts'

describe('dates and times', () => {
  it.each([
    ['20240229', '20240229'],
    ['1993.02.14', '19930214'],
    ['1970', '1970'],
    ['197001', '197001'],
    ['20230229', ''],
    ['20241301', ''],
    ['00000000', ''],
    ['unknown', ''],
    ['', ''],
  ])('reads the date %j as %j', (text, plain) => {
    expect(normaliseDate(text)).toBe(plain)
  })

  it('keeps what is known of a partial date', () => {
    expect(parseDate('197001')).toEqual({ year: 1970, month: 1 })
  })

  it.each([
    ['101530', '101530'],
    ['10:15:30', '101530'],
    ['10', '10'],
    ['1015', '1015'],
    ['101530.123456', '101530.123456'],
    ['250000', ''],
    ['', ''],
  ])('reads the time %j as %j', (text, plain) => {
    expect(normaliseTime(text)).toBe(plain)
  })

  it('reads date-times with an offset', () => {
    expect(parseDateTime('20240115101530.5+0130')).toEqual({
      date: { year: 2024, month: 1, day: 15 },
      time: { hour: 10, minute: 15, second: 30, fraction: '5' },
      offsetMinutes: 90,
    })
    expect(parseDateTime('2024')).toEqual({ date: { year: 2024 } })
    expect(parseDateTime('20240115-0500')?.offsetMinutes).toBe(-300)
    expect(parseDateTime('yesterday')).toBeUndefined()
    expect(parseTime('ab')).toBeUndefined()
  })
})
