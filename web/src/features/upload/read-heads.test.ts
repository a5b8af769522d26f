import { FIRST_READ_AT_BROWSER_BYTES as HEAD_BYTES } from '@hilum/dicom/limits'
import { expect, test } from 'vitest'
import { readHeads } from './read-heads.ts'

const filled = (length: number, value: number) => new File([new Uint8Array(length).fill(value)], `${value}`)

test('each of some files has its own first bytes, whatever their sizes', async () => {
  const files = [filled(HEAD_BYTES * 3, 1), filled(0, 2), filled(7, 3), filled(HEAD_BYTES, 4)]
  const heads = await readHeads(files)
  expect(heads.map((head) => head.length)).toEqual([HEAD_BYTES, 0, 7, HEAD_BYTES])
  expect(heads.map((head) => [...new Set(head)])).toEqual([[1], [], [3], [4]])
})

test('of no files there are no heads', async () => {
  expect(await readHeads([])).toEqual([])
})

test('where one of them is shorter than it says nobody has a neighbour’s bytes for its own', async () => {
  const shorter = filled(10, 5)
  Object.defineProperty(shorter, 'size', { value: 20 })
  expect(await readHeads([shorter, filled(10, 6)])).toEqual([])
})

test('where one of them cannot be read each is to be read alone', async () => {
  const gone = filled(HEAD_BYTES * 2, 7)
  gone.slice = () => {
    throw new Error('NotReadableError')
  }
  expect(await readHeads([filled(10, 8), gone])).toEqual([])
})
