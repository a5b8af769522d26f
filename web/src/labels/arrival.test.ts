import { expect, it } from 'vitest'
import { arrivalOf } from './arrival.ts'

const of = (arrival: 'announced' | 'receiving' | 'complete' | 'incomplete', image_count: number, expected?: number) =>
  arrivalOf({ arrival, image_count, expected_count: expected ?? null })

it.each([
  [40, 60],
  [60, 60],
  [61, 60],
  [61, 1],
  [3, 0],
  [3, undefined],
])('never tells of more images than are announced: %d of %s', (done, expected) => {
  for (const state of ['receiving', 'incomplete'] as const) {
    const { label = '', sentence = '', percent = 0 } = of(state, done, expected) ?? {}
    for (const [, told, total] of `${label} ${sentence}`.matchAll(/(\d+) of (\d+)/g)) {
      expect([Number(told), Number(total)]).toEqual([done, expected])
      expect(Number(told)).toBeLessThanOrEqual(Number(total))
    }
    expect(percent).toBeLessThanOrEqual(100)
  }
})

it('tells of a study that waits, arrives or lacks images, and nothing of a whole one', () => {
  expect(of('complete', 60, 60)).toBeUndefined()
  expect(of('announced', 0, 60)).toMatchObject({ kind: 'waiting', label: 'Waiting for images' })
  expect(of('receiving', 40, 60)).toMatchObject({ label: 'Receiving 40 of 60', percent: 66 })
  expect(of('receiving', 61, 60)).toMatchObject({
    label: 'Receiving, 61 so far',
    sentence: 'Images are still arriving: 61 so far.',
  })
  expect(of('incomplete', 40, 60)?.sentence).toBe('This study is incomplete: 40 of 60 images arrived.')
  expect(of('incomplete', 61, 60)?.sentence).toBe(
    'This study is incomplete: not all announced images arrived. It shows 61.',
  )
})
