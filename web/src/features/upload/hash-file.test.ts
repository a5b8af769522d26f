import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { findHash, findHashes } from './hash-file.ts'

afterEach(() => vi.unstubAllGlobals())

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31) % 251)
const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test.each([0, 1, 63, 64, 65, 1_000_003])(
  'a file of %d bytes has its SHA-256 with the browser’s help and without',
  async (length) => {
    const bytes = bytesOf(length)
    expect(await findHash(new File([bytes], 'a'))).toBe(expected(bytes))
    vi.stubGlobal('crypto', {})
    expect(await findHash(new File([bytes], 'a'))).toBe(expected(bytes))
  },
)

test('what cannot be read has none', async () => {
  const gone = { size: 1, arrayBuffer: () => Promise.reject(new Error('gone')) } as unknown as File // all that is asked
  expect(await findHash(gone)).toBeUndefined()
})

test('a file is read once, however often and however fast its hash is asked for; after a fault it is read again', async () => {
  const bytes = bytesOf(10)
  const read = vi
    .fn<() => Promise<ArrayBuffer>>()
    .mockRejectedValueOnce(new Error('gone'))
    .mockImplementation(async () => bytes.slice().buffer)
  const file = { size: 10, arrayBuffer: read } as unknown as File // all that is asked
  expect(await findHash(file)).toBeUndefined()
  const asked = await Promise.all([findHash(file), findHash(file)])
  expect([...asked, await findHash(file)]).toEqual(Array(3).fill(expected(bytes)))
  expect(read).toHaveBeenCalledTimes(2)
})

test('of many files a few are read at a time, and those that cannot be read have none', async () => {
  let underWay = 0
  let most = 0
  const fileOf = (at: number) => {
    const read = async () => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve))
      underWay--
      if (at % 10 === 0) throw new Error('gone')
      return bytesOf(at).buffer
    }
    return { file: { size: at, arrayBuffer: read } as unknown as File } // all that is asked
  }
  const files = Array.from({ length: 30 }, (_, at) => fileOf(at))
  const hashes = await findHashes(files, new AbortController().signal)
  expect(files.map((one) => hashes.get(one))).toEqual(
    files.map((_, at) => (at % 10 === 0 ? undefined : expected(bytesOf(at)))),
  )
  expect(most).toBe(4)
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(findHashes(files, stopped)).rejects.toThrow('stopped')
})
