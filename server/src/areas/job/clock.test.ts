import { expect, test } from 'vitest'
import { type Clock, nextTime } from './clock.ts'

test.each<[Clock, string, string]>([
  [{}, '2026-03-01T10:15:00.000Z', '2026-03-01T10:16:00.000Z'],
  [{}, '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  [{ minute: 17 }, '2026-03-01T10:16:59.000Z', '2026-03-01T10:17:00.000Z'],
  [{ minute: 17 }, '2026-03-01T10:17:00.000Z', '2026-03-01T11:17:00.000Z'],
  [{ minute: 17 }, '2026-03-01T23:18:00.000Z', '2026-03-02T00:17:00.000Z'],
  [{ hour: 3, minute: 41 }, '2026-02-28T03:41:00.001Z', '2026-03-01T03:41:00.000Z'],
  [{ hour: 3, minute: 41 }, '2026-02-28T01:50:00.000Z', '2026-02-28T03:41:00.000Z'],
])('a clock of %j comes after %s at %s', (clock, after, next) => {
  expect(nextTime(clock, new Date(after)).toISOString()).toBe(next)
})
