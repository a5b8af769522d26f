import { expect, test } from 'vitest'
import { freeBytes } from './free-bytes.ts'

test('chunks with a buffer of their own are emptied', () => {
  const chunk = new Uint8Array(64 * 1024)
  freeBytes([chunk])
  expect(chunk.length).toBe(0)
})

test('a chunk that shares its buffer keeps its bytes, and so do its neighbours', () => {
  const whole = Uint8Array.of(1, 2, 3, 4)
  const part = whole.subarray(1, 3)
  freeBytes([part])
  expect([...part]).toEqual([2, 3])
  expect([...whole]).toEqual([1, 2, 3, 4])
})

test('freeing twice, or nothing at all, does no harm', () => {
  const chunk = new Uint8Array(8)
  freeBytes([chunk, new Uint8Array(0)])
  freeBytes([chunk])
  expect(chunk.length).toBe(0)
})
