import { open } from 'node:fs/promises'
import type { ByteSource } from './byte-source.ts'

export interface FileSource extends ByteSource, AsyncDisposable {}

/** Closes with `await using`, or by its `Symbol.asyncDispose`. */
export async function openFileSource(path: string, start = 0, length?: number): Promise<FileSource> {
  const file = await open(path, 'r')
  const size = Math.max(0, Math.min(length ?? Number.POSITIVE_INFINITY, (await file.stat()).size - start))
  return {
    size,
    async read(offset, wanted) {
      // not filled with zeros first: what is not read is not given
      const bytes = new Uint8Array(Buffer.allocUnsafeSlow(Math.max(0, Math.min(wanted, size - offset))).buffer)
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + offset + filled)
        if (bytesRead === 0) return bytes.subarray(0, filled)
        filled += bytesRead
      }
      return bytes
    },
    async [Symbol.asyncDispose]() {
      await file.close()
    },
  }
}
