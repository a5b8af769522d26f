import { expect, test } from 'vitest'
import { fileIds } from './file-ids.ts'

const series = (count: number, name = 'one') => Array.from({ length: count }, () => ({ series_uid: name }))

test('files are numbered in folders of their series, or all in one', () => {
  const instances = [...series(2), ...series(1, 'two')]
  expect(fileIds(instances, false)).toEqual([
    ['SER0001', 'IMG0001'],
    ['SER0001', 'IMG0002'],
    ['SER0002', 'IMG0001'],
  ])
  expect(fileIds(instances, true)).toEqual([['IMG0001'], ['IMG0002'], ['IMG0003']])
})

test('numbers grow, and no name is longer than a disc takes or given twice', () => {
  const names = fileIds(series(100_001), true).flat()
  expect([names[9_998], names[9_999], names[99_998], names[99_999]]).toEqual([
    'IMG9999',
    'IMG10000',
    'IMG99999',
    'I0100000',
  ])
  expect(new Set(names).size).toBe(names.length)
  expect(names.every((name) => /^[A-Z0-9]{1,8}$/.test(name))).toBe(true)
})
