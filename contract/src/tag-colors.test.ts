import { expect, test } from 'vitest'
import { maxTagColors, readTagColors, tagHues, writeTagColors } from './tag-colors.ts'

test('colours of tags are read as they were written, whatever signs a beginning has', () => {
  const colors = ['ER', 'a=b', '50 %', '山'].map((start, at) => ({ start, hue: tagHues[at] ?? 'red' }))
  expect(readTagColors(writeTagColors(colors))).toEqual(colors)
  expect(readTagColors('')).toEqual([])
})

test.each(['ER', 'ER=', 'ER=pink', '=red', 'ER=red;x', 'ER=red\ner=blue', `${'x'.repeat(65)}=red`, 'a\tb=red'])(
  'what is no list of colours is none: %j',
  (setting) => expect(readTagColors(setting)).toBeUndefined(),
)

test('an account has a bounded number of kinds', () => {
  const some = (count: number) => Array.from({ length: count }, (_, at) => `t${at}=red`).join('\n')
  expect(readTagColors(some(maxTagColors))).toHaveLength(maxTagColors)
  expect(readTagColors(some(maxTagColors + 1))).toBeUndefined()
})
