import { describe, expect, test } from 'vitest'
import { ageAt } from './age.ts'
import { attributeName } from './attribute-name.ts'
import { cutText } from './cut.ts'
import {
  dateFormats,
  formatAgo,
  formatDate,
  formatLastLogin,
  formatStamp,
  formatTime,
  momentOf,
  writtenFormat,
} from './dates.ts'
import { formatSize, megabytesOf } from './file-size.ts'
import { displayName } from './person-name.ts'

describe('dates', () => {
  test('[CONST-03] a DICOM date in each of the six formats', () => {
    expect(dateFormats.map((format) => formatDate('20260304', format))).toEqual([
      '03-04-2026',
      '2026-03-04',
      '04-03-2026',
      '2026/03/04',
      '03/04/2026',
      '04/03/2026',
    ])
  })
  test.each(['Asia/Tokyo', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC'])(
    'a clock time of %s is the moment that is shown as this time there, on days when the clocks change too',
    (zone) => {
      for (const clock of [
        '2026-11-30T08:00',
        '2026-03-29T03:30',
        '2026-10-25T12:00',
        '2026-03-08T12:00',
        '2026-06-01T00:15',
      ]) {
        const stamp = new Date(momentOf(clock, zone)).toISOString().replace('T', ' ').replace('Z', '+00')
        expect(formatStamp(stamp, 'YYYY-MM-DD', zone).replace(' ', 'T')).toBe(clock)
      }
    },
  )
  test('what is no clock time is no moment', () => {
    expect(momentOf('', 'Asia/Tokyo')).toBeNaN()
  })
  test('what is no date is shown as it came, what is empty stays empty', () => {
    expect(formatDate('2026', 'YYYY-MM-DD')).toBe('2026')
    expect(formatDate('', 'YYYY-MM-DD')).toBe('')
    expect(formatDate('1997.01.02', 'YYYY-MM-DD')).toBe('1997-01-02')
  })
  test('the written form has the month in letters, and what is no date as it came', () => {
    expect(['19610305', '1961-03-05', '1961.03.05'].map((date) => formatDate(date, writtenFormat))).toEqual(
      Array(3).fill('5 Mar 1961'),
    )
    expect(['', '1961', '19611305', '19610230', '<b>'].map((date) => formatDate(date, writtenFormat))).toEqual([
      '',
      '1961',
      '19611305',
      '19610230',
      '<b>',
    ])
  })
  test('[ADMIN-USERS-03] the last login is written as yyyy-MM-dd hh:mm a, in the zone of the person', () => {
    const stamp = '2026-03-01 23:30:00.123456+00'
    expect(formatLastLogin(stamp, 'Asia/Tokyo')).toBe('2026-03-02 08:30 AM')
    expect(formatLastLogin(stamp, 'America/New_York')).toBe('2026-03-01 06:30 PM')
    expect(formatLastLogin('2026-03-01 00:05:00.000000+00', 'UTC')).toBe('2026-03-01 12:05 AM')
    expect([formatLastLogin(null, 'UTC'), formatLastLogin('x', 'UTC')]).toEqual(['', ''])
  })
  test('a stamp of the wire shows in the zone of the person', () => {
    const stamp = '2026-03-01 23:30:00.123456+00'
    expect(formatStamp(stamp, 'DD/MM/YYYY', 'Asia/Tokyo')).toBe('02/03/2026 08:30')
    expect(formatStamp(stamp, 'YYYY-MM-DD', 'America/New_York')).toBe('2026-03-01 18:30')
  })
  test('times and spans of time', () => {
    expect(formatTime('101559.5')).toBe('10:15')
    const now = Date.UTC(2026, 2, 1, 12)
    expect(formatAgo('2026-03-01 11:55:00.000000+00', now)).toBe('5 minutes ago')
    expect(formatAgo('2026-02-28 12:00:00.000000+00', now)).toBe('yesterday')
    expect(formatAgo('2025-11-20 12:00:00.000000+00', now)).toBe('3 months ago')
  })
})

test('[CONST-04] sizes go by 1024', () => {
  expect(formatSize(1024 ** 2 * 212)).toBe('212 MB')
  expect(formatSize(1536)).toBe('1.5 kB')
  expect(formatSize(0)).toBe('0 bytes')
  const megabyte = 1024 ** 2
  expect(megabytesOf(212 * megabyte, 505 * megabyte)).toEqual({ done: '212', total: '505' })
  expect(megabytesOf(10, 505 * megabyte)).toEqual({ done: '1', total: '505' })
  expect(megabytesOf(0, 4.2 * megabyte)).toEqual({ done: '0.0', total: '4.2' })
  expect(megabytesOf(6.7 * 1024, 46 * 1024)).toEqual({ done: '0.01', total: '0.04' })
})

test('ages count in the largest fitting unit and fall back to what the images say', () => {
  expect(ageAt('19800315', '20260314')).toEqual({ count: 45, unit: 'years' })
  expect(ageAt('20260101', '20260401')).toEqual({ count: 3, unit: 'months' })
  expect(ageAt('20260101', '20260116')).toEqual({ count: 2, unit: 'weeks' })
  expect(ageAt('20260101', '20260105')).toEqual({ count: 4, unit: 'days' })
  expect(ageAt('', '20260105', '034Y')).toEqual({ count: 34, unit: 'years' })
  expect(ageAt('20270101', '20260105')).toBeUndefined()
})

test('names are FAMILY, Given with their other writings', () => {
  expect(displayName('Doe^Jane^Q')).toEqual({ main: 'DOE, Jane Q', others: [] })
  expect(displayName('Yamada^Tarou=山田^太郎=やまだ^たろう').others).toEqual(['山田 太郎', 'やまだ たろう'])
  expect(displayName('=山田^太郎').main).toBe('山田 太郎')
  expect(displayName(undefined).main).toBe('')
})

test('[CONST-02] a cut counts characters as a reader does', () => {
  expect(cutText('abcdef', 3)).toBe('abc…')
  expect(cutText('🫀🫁🧠', 3)).toBe('🫀🫁🧠')
})

test('an attribute is named in words, and by its tag where it has no keyword', () => {
  const keywords = [
    'PatientName',
    'StudyInstanceUID',
    'SOPInstanceUID',
    'PatientID',
    'Rows',
    'ReferencedSOPSequence',
    '',
  ]
  expect(keywords.map((keyword) => attributeName(keyword, '00090010'))).toEqual([
    'Patient Name',
    'Study Instance UID',
    'SOP Instance UID',
    'Patient ID',
    'Rows',
    'Referenced SOP Sequence',
    '00090010',
  ])
})
