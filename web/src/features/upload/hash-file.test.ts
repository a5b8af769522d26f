import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { findHash } from './hash-file.ts'

afterEach(() => vi.unstubAllGlobals())

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31) % 251)
const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test.each([0, 1, 63, 64, 65, 1_000_003])(
  'a file of %d bytes has its SHA-256 with the browser’s help and without',
  async (length) => {
    const bytes = bytesOf(length)
    const file = new File([bytes], 'a')
    expect(await findHash(file)).toBe(expected(bytes))
    vi.stubGlobal('crypto', {})
    expect(await findHash(file)).toBe(expected(bytes))
  },
)

test('what cannot be read has none', async () => {
  const gone = { size: 1, arrayBuffer: () => Promise.reject(new Error('gone')) } as unknown as File // all that is asked
  expect(await findHash(gone)).toBeUndefined()
})
