import type { Log } from '../../log.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { logRefusal } from './refusal-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells the first refusal at once, the next ones once a minute with their number, and a later one at once again', () => {
  const lines: object[] = []
  const log = { error: (line: object) => lines.push(line) } as unknown as Log
  const line = (reason: string, count: number) => ({ event: 'uploads refused', reason, count })
  for (let count = 0; count < 631; count += 1) logRefusal(log, 'full')
  logRefusal(log, 'read-only')
  expect(lines).toEqual([line('full', 1), line('read-only', 1)])
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(2)).toEqual([line('full', 630)])
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(3)
  logRefusal(log, 'full')
  expect(lines.slice(3)).toEqual([line('full', 1)])
})
