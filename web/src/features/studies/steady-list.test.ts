import { expect, test } from 'vitest'
import { makeStudy } from '../../../test/make-study.ts'
import { steadyList } from './steady-list.ts'

const [a, b, c] = [makeStudy({ uuid: 'a' }), makeStudy({ uuid: 'b' }), makeStudy({ uuid: 'c' })]

test('what comes new shows at once while nobody is at the list', () => {
  expect(steadyList([a, b], [c, a, b], false)).toEqual({ studies: [c, a, b], arrivedCount: 0 })
})

test('a held list keeps its order and counts what has come', () => {
  expect(steadyList([a, b], [c, b, a], true)).toEqual({ studies: [a, b], arrivedCount: 1 })
})

test('a held list shows fresh values in their old places', () => {
  const fresh = makeStudy({ uuid: 'b', image_count: 60 })
  expect(steadyList([a, b], [fresh, a], true).studies[1]?.image_count).toBe(60)
})

test('an empty list has nothing to keep', () => {
  expect(steadyList([], [a], true).studies).toEqual([a])
})
