import { expect, it } from 'vitest'
import { readDicomDate, readStampRange } from './filter-stamp.ts'
import { filterZone, isKnownZone } from './filter-zone.ts'

it('lets a value stand for as long as it says: a day, a second, a microsecond', () => {
  expect(readStampRange('2026-03-01', 'UTC')).toEqual({
    from: '2026-03-01T00:00:00.000000Z',
    until: '2026-03-02T00:00:00.000000Z',
  })
  expect(readStampRange('20260301', 'UTC')?.from).toBe('2026-03-01T00:00:00.000000Z')
  expect(readStampRange('2026-03-01 12:00:00', 'UTC')?.until).toBe('2026-03-01T12:00:01.000000Z')
  expect(readStampRange('2026-03-01 12:00:00.25', 'UTC')).toEqual({
    from: '2026-03-01T12:00:00.250000Z',
    until: '2026-03-01T12:00:00.250001Z',
  })
})

it('ignores an offset inside a value', () => {
  expect(readStampRange('2026-03-01 12:00:00+05:30', 'UTC')?.from).toBe('2026-03-01T12:00:00.000000Z')
})

it('knows that the day of the clock change has 23 hours', () => {
  expect(readStampRange('2026-03-29', 'Europe/Berlin')).toEqual({
    from: '2026-03-28T23:00:00.000000Z',
    until: '2026-03-29T22:00:00.000000Z',
  })
})

it.each(['', 'yesterday', '2026-13-01', '2026-02-30', '2026-03-01 25:00:00', "2026-03-01'; drop table study"])(
  'takes %j for no date',
  (value) => {
    expect(readStampRange(value, 'UTC')).toBeUndefined()
  },
)

it('reads a date of a filter into the form of DICOM', () => {
  expect(readDicomDate('2026-03-01')).toBe('20260301')
  expect(readDicomDate('20260301')).toBe('20260301')
  expect(readDicomDate('2026-03-01 10:00:00')).toBe('20260301')
  expect(readDicomDate(' 2026-03-01 ')).toBe('20260301')
  expect(readStampRange(' 2026-03-01 ', 'UTC')?.from).toBe('2026-03-01T00:00:00.000000Z')
  expect(readDicomDate('March')).toBeUndefined()
})

it('[SEARCH-13] reads a date of birth as MM-DD-YYYY too', () => {
  expect(readDicomDate('03-01-2026')).toBe('20260301')
  expect(readDicomDate('03/01/2026')).toBe('20260301')
  expect(readDicomDate(' 03/01/2026 ')).toBe('20260301')
  for (const wrong of ['3-1-2026', '103-01-2026', '03-01-20261']) expect(readDicomDate(wrong)).toBeUndefined()
})

it('adds a numeric filter.tz, in the sense of POSIX: 09:00 with +03:00 is 12:00 UTC', () => {
  const zone = filterZone('', '+03:00')
  expect(readStampRange('2026-03-01 09:00:00', zone)?.from).toBe('2026-03-01T12:00:00.000000Z')
  expect(readStampRange('2026-03-01 09:00:00', filterZone('', '-4:00'))?.from).toBe('2026-03-01T05:00:00.000000Z')
})

it("prefers the user's own zone, then filter.tz, then UTC", () => {
  expect(filterZone('Europe/Berlin', '+03:00')).toBe('Europe/Berlin')
  expect(filterZone('', 'America/New_York')).toBe('America/New_York')
  expect(filterZone('', 'Asia/Kolkata')).toBe('Asia/Kolkata')
  expect(filterZone('', undefined)).toBe('UTC')
  expect(filterZone('Mars/Olympus', '+03:00')).toBe('-03:00')
  expect(filterZone('Mars/Olympus', ' Europe/Berlin ')).toBe('Europe/Berlin')
})

it.each([
  ['+3', '-03:00'],
  ['-03', '+03:00'],
  ['+0530', '-05:30'],
  ['+23:59', '-23:59'],
  ['+24:00', 'UTC'],
  ['+01:60', 'UTC'],
])('reads the numeric filter.tz %s as the zone %s', (sent, zone) => {
  expect(filterZone('', sent)).toBe(zone)
})

it('counts deprecated, unknown and impossible zones as UTC', () => {
  for (const sent of ['US/Eastern', 'EST5EDT', 'Mars/Olympus', '+99:00', "UTC'"])
    expect(filterZone('', sent)).toBe('UTC')
})

it('knows zones by present and by former names, but not offsets', () => {
  expect(['Europe/Kyiv', 'Europe/Kiev', 'UTC', 'US/Eastern'].filter((name) => !isKnownZone(name))).toEqual([])
  expect(['+03:00', '', 'Mars/Olympus', 'Europe/'].filter(isKnownZone)).toEqual([])
})
