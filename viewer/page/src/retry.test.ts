import { expect, it, onTestFinished, vi } from 'vitest'
import { createRetry } from './retry.ts'

it('tries again after pauses that grow, until an end that makes the next one short again', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const act = vi.fn()
  const retry = createRetry(act)
  const countAfter = (ms: number) => {
    vi.advanceTimersByTime(ms)
    return act.mock.calls.length
  }
  retry.later()
  expect([countAfter(2999), countAfter(1)]).toEqual([0, 1])
  retry.later()
  expect([countAfter(3000), countAfter(3000)]).toEqual([1, 2])
  retry.later()
  retry.end()
  expect(countAfter(60_000)).toBe(2)
  retry.later()
  expect(countAfter(3000)).toBe(3)
})
