import { expect, test } from 'vitest'
import { type DatePreset, datePresets, daysOf, todayIn } from './date-range.ts'

const saturday = '2026-11-21'
const days = (preset: DatePreset, today = saturday) => daysOf({ preset }, today)

test('[SEARCH-16] each preset names its days, today included', () => {
  expect(datePresets.map((preset) => [preset, days(preset)?.from, days(preset)?.to])).toEqual([
    ['all', undefined, undefined],
    ['today', '2026-11-21', '2026-11-21'],
    ['todayAndYesterday', '2026-11-20', '2026-11-21'],
    ['yesterday', '2026-11-20', '2026-11-20'],
    ['last3Days', '2026-11-19', '2026-11-21'],
    ['last3BusinessDays', '2026-11-18', '2026-11-21'],
    ['last7Days', '2026-11-15', '2026-11-21'],
    ['last31Days', '2026-10-22', '2026-11-21'],
    ['lastYear', '2025-11-22', '2026-11-21'],
  ])
})

test.each([
  ['a Monday', '2026-11-23', '2026-11-19'],
  ['a Wednesday', '2026-11-25', '2026-11-23'],
  ['a Sunday', '2026-11-22', '2026-11-18'],
])('[SEARCH-16] business days skip the weekend, counted from %s', (_day, today, from) => {
  expect(days('last3BusinessDays', today)).toEqual({ from, to: today })
})

test('a year back from February 29 begins on March 1', () => {
  expect(days('lastYear', '2028-02-29')?.from).toBe('2027-03-01')
})

test('a custom range keeps its own days', () => {
  expect(daysOf({ preset: 'custom', from: '2026-01-02', to: '2026-01-05' }, saturday)).toEqual({
    from: '2026-01-02',
    to: '2026-01-05',
  })
})

test('today is the day in the zone of the person', () => {
  const now = new Date('2026-11-21T23:30:00Z')
  expect(todayIn('Asia/Tokyo', now)).toBe('2026-11-22')
  expect(todayIn('America/New_York', now)).toBe('2026-11-21')
  expect(todayIn('Nowhere/Land', now)).toMatch(/^2026-11-2/)
})
