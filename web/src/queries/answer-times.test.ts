import { afterEach, expect, test, vi } from 'vitest'
import { areAnswersQuick, forgetAnswers, noteAnswer } from './answer-times.ts'

afterEach(forgetAnswers)

test('results follow the typing where answers take 100 ms or less, judged by searches once there are any', () => {
  expect(areAnswersQuick()).toBe(false)
  noteAnswer('list', 40, false)
  expect(areAnswersQuick()).toBe(true)
  noteAnswer('text', 400, false)
  expect(areAnswersQuick()).toBe(false)
  noteAnswer('list', 20, false)
  expect(areAnswersQuick()).toBe(false)
  // One that Search asked for was quick again: the slow one was the first after a long rest.
  noteAnswer('text', 60, false)
  expect(areAnswersQuick()).toBe(true)
  for (const ms of [101, 130]) noteAnswer('text', ms, false)
  expect(areAnswersQuick()).toBe(false)
})

test('an answer that was given up counts once it was slow', () => {
  noteAnswer('text', 10, true)
  expect(areAnswersQuick()).toBe(false)
  noteAnswer('list', 10, false)
  expect(areAnswersQuick()).toBe(true)
  noteAnswer('text', 900, true)
  expect(areAnswersQuick()).toBe(false)
})

test('slow answers switch searching while typing off for a minute, and not for good', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  for (const ms of [300, 300, 300]) noteAnswer('list', ms, false)
  expect(areAnswersQuick()).toBe(false)
  clock.mockReturnValue(59_000)
  expect(areAnswersQuick()).toBe(false)
  clock.mockReturnValue(60_000)
  expect(areAnswersQuick()).toBe(true)
  noteAnswer('text', 300, false)
  expect(areAnswersQuick()).toBe(false)
  clock.mockReturnValue(120_000)
  noteAnswer('list', 20, false)
  expect(areAnswersQuick()).toBe(true)
  clock.mockRestore()
})
