import { describe, expect, it } from 'vitest'
import { isDicomDay, normaliseDate, normaliseTime, parseDate, parseDateTime, parseTime } from './dates.ts'

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
    [' 20240229 ', '20240229'],
    ['2024-02-29', '20240229'],
    ['x20240115', ''],
    ['20240115x', ''],
    ['20001231', '20001231'],
    ['20000229', '20000229'],
    ['19000229', ''],
    ['20240430', '20240430'],
    ['20240431', ''],
    ['20240631', ''],
    ['20240931', ''],
    ['20241131', ''],
    ['20240131', '20240131'],
    ['20240100', ''],
    ['20240001', ''],
    ['202400', ''],
    ['202412', '202412'],
    ['00010101', '00010101'],
    ['0000', ''],
    ['00000101', ''],
    [undefined, ''],
  ])('reads the date %j as %j', (text, plain) => {
    expect(normaliseDate(text)).toBe(plain)
  })

  it('keeps what is known of a partial date', () => {
    for (const [text, isDay] of [
      ['20240229', true],
      ['20230229', false],
      ['2024', false],
      ['2024.02.29', false],
      ['', false],
    ] as const)
      expect([text, isDicomDay(text)]).toEqual([text, isDay])
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
    [' 101530 ', '101530'],
    ['x101530', ''],
    ['101530x', ''],
    ['235960', '235960'],
    ['235961', ''],
    ['240000', ''],
    ['2359', '2359'],
    ['2360', ''],
    ['101530.1234567', '101530.123456'],
    ['101530.', ''],
    [undefined, ''],
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
    expect(parseDateTime(' 20240115 ')).toEqual({ date: { year: 2024, month: 1, day: 15 } })
    expect(parseDateTime('202401')).toEqual({ date: { year: 2024, month: 1 } })
    expect(parseDateTime('2024011510')).toMatchObject({ time: { hour: 10 } })
    expect(parseDateTime('20240115+0000')?.offsetMinutes).toBe(0)
    for (const wrong of ['2024011599', '20241301', 'x2024', '2024x', '20240115101530+01', '202401151']) {
      expect([wrong, parseDateTime(wrong)]).toEqual([wrong, undefined])
    }
    expect(parseDateTime('yesterday')).toBeUndefined()
    expect(parseTime('ab')).toBeUndefined()
  })
})
