import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { StorageError } from '@hilum/contract/storage-errors'
import type { ObjectStore, ObjectWriter } from '../../outbound/storage/object-store.ts'

/** Bytes of any kind, on disk and not yet listed. */
export type StoredBody = {
  objectKey: string
  /** Hex. */
  sha256: string
  crc32: number
  length: number
  /** Deletes them again. */
  discard: () => Promise<void>
}

/**
 * Writes a body into the store as it comes and forces it to disk, with its folder.
 * @throws StorageError PAYLOAD_TOO_LARGE; nothing stays on disk when it throws
 */
export async function storeBody(
  store: ObjectStore,
  folder: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredBody> {
  const writer = await store.begin(folder)
  try {
    const written = await writeAll(writer, body, maxBytes)
    await store.finish([writer])
    return { objectKey: writer.key, ...written, discard: () => store.remove(writer.key) }
  } catch (error) {
    await writer.discard()
    throw error
  }
}

async function writeAll(writer: ObjectWriter, body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const hash = createHash('sha256')
  let crc = 0
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw new StorageError('PAYLOAD_TOO_LARGE')
    hash.update(chunk)
    crc = crc32(chunk, crc)
    await writer.write([chunk])
  }
  return { sha256: hash.digest('hex'), crc32: crc, length }
}
