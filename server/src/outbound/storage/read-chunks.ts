import { openLentFile } from './lent-file.ts'

const READ_BYTES = 128 * 1024

/** A file that was lent, from its beginning or from an offset, one chunk in memory at a time. */
export async function* readChunks(path: string, start = 0): AsyncGenerator<Uint8Array> {
  const file = await openLentFile(path)
  try {
    for (let at = start; ; ) {
      const buffer = Buffer.allocUnsafe(READ_BYTES)
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
