import { expect, test } from 'vitest'
import { fromLines, toLines } from './choice-lines.ts'

test.each([
  ['plain', { values: ['A', 'B'], labels: ['A', 'B'] }],
  ['with words', { values: ['A', 'B'], labels: ['Alpha', 'Beta'] }],
  ['a value with the sign', { values: ['BI-RADS = 4', 'BI-RADS = 5'], labels: ['BI-RADS = 4', 'Five'] }],
  ['no words', { values: ['x', 'y'], labels: ['', ' '] }],
  ['two that read alike', { values: ['a = b', 'a'], labels: ['a = b', 'b'] }],
])('choices that nobody edited stay as they are: %s', (_, choices) => {
  expect(fromLines(toLines(choices), choices)).toEqual(choices)
  expect(fromLines(`${toLines(choices)}\nnew = New words`, choices)).toEqual({
    values: [...choices.values, 'new'],
    labels: [...choices.labels, 'New words'],
  })
})

test('a line that somebody wrote is split at the sign', () => {
  const before = { values: ['BI-RADS = 4'], labels: ['BI-RADS = 4'] }
  expect(fromLines(' 1 = One \n\nBI-RADS = 3', before)).toEqual({ values: ['1', 'BI-RADS'], labels: ['One', '3'] })
})
