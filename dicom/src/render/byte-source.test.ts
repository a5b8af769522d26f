import { expect, test } from 'vitest'
import { WindowedReader } from './byte-source.ts'

test('gives no bytes from behind the end of the source, which it does not ask', async () => {
  const asked: number[] = []
  const source = {
    size: 10,
    read: async (offset: number, length: number) => {
      asked.push(offset)
      return new Uint8Array(Math.min(length, 10 - offset))
    },
  }
  const reader = new WindowedReader(source, 4)
  for (const offset of [10, 11, 999_999]) {
    expect(await reader.fetch(offset, 4)).toHaveLength(0)
    expect(await reader.fetch(offset, 8)).toHaveLength(0)
  }
  expect(asked).toEqual([])
  expect(await reader.fetch(8, 8)).toHaveLength(2)
})
