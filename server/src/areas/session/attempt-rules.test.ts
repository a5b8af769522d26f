import { expect, it } from 'vitest'
import { waitOf } from './attempt-rules.ts'

it('lets a person mistype, then waits longer each time, and never long', () => {
  const waits = Array.from({ length: 60 }, (_, failures) => waitOf(failures))
  expect(waits.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 0))
  expect(waits.slice(10, 16)).toEqual([100, 200, 400, 800, 1600, 2000])
  expect(Math.max(...waits, waitOf(1_000_000))).toBe(2000)
})
