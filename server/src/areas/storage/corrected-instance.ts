import { crc32 } from 'node:zlib'
import { cannotBeCorrected, type Correction, correctFile } from '@hilum/dicom/node/correct-file'
import { type FileBeginning, type FileFacts, readUpToPixels } from '@hilum/dicom/node/read-beginning'
import type { SplicedFile } from '@hilum/dicom/splice'
import { joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import { partsOfInstance } from './instance-parts.ts'
import type { StoredInstance } from './instance.sql.ts'
import type { Part } from './parts.ts'

/** An instance on its way out. */
export type LeavingInstance = { parts: Part[]; length: number; crc32: number; isCorrected: boolean; failure?: string }

/** An instance as it was stored, but for a blanked preamble. */
export function asReceived(store: FileStore, instance: StoredInstance): LeavingInstance {
  const { length, crc32 } = instance
  return { parts: partsOfInstance(store, instance), length, crc32, isCorrected: false }
}

/**
 * An instance with a record's edits applied where it still holds the old values: a rewritten beginning and the stored
 * rest. The beginning is made again when its turn to be sent comes, so a long list of these takes no memory.
 */
export async function asCorrected(
  store: FileStore,
  instance: StoredInstance,
  correction: Correction,
): Promise<LeavingInstance> {
  let spliced: SplicedFile
  try {
    spliced = await splice(store, instance, correction)
  } catch (error) {
    if (!cannotBeCorrected(error)) throw error
    return { ...asReceived(store, instance), failure: error.message }
  }
  if (spliced.applied.length === 0) return asReceived(store, instance)
  const { tailOffset } = spliced
  const prefixBytes = spliced.prefix.length
  const tailBytes = instance.length - tailOffset
  const open = async function* (start: number, count: number) {
    const { prefix } = await splice(store, instance, correction)
    yield prefix.subarray(start, start + count)
  }
  const tail: Part = {
    kind: 'stream',
    length: tailBytes,
    open: (start, count) => store.stream(instance.object_key, instance.byte_offset + tailOffset + start, count),
  }
  return {
    parts: [{ kind: 'stream', length: prefixBytes, open }, ...(tailBytes > 0 ? [tail] : [])],
    length: prefixBytes + tailBytes,
    crc32: joinCrc32(crc32(spliced.prefix), await crc32OfStored(store, instance, tailOffset, tailBytes), tailBytes),
    isCorrected: true,
  }
}

async function splice(store: FileStore, instance: StoredInstance, correction: Correction): Promise<SplicedFile> {
  const { bytes, header } = await readStart(store, instance)
  return correctFile(bytes, header, correction)
}

/**
 * The file up to its pixel data, read and understood; all of a deflated one.
 * @throws DicomReadError when it is damaged, or too large for that
 */
export function readStart(store: FileStore, instance: StoredInstance): Promise<FileBeginning> {
  const { object_key, byte_offset } = instance
  return readUpToPixels((bytes) => store.read(object_key, byte_offset, bytes), factsOf(instance))
}

/** What the reader of a file's beginning wants to know of it. */
export function factsOf(instance: StoredInstance): FileFacts {
  const { length, transfer_syntax: transferSyntax, pixel_offset: pixelOffset } = instance
  return { length, transferSyntax, pixelOffset }
}

/** Of a stretch of the stored file, known without reading where it is all from the pixel data on. */
export async function crc32OfStored(
  store: FileStore,
  instance: StoredInstance,
  start: number,
  bytes: number,
): Promise<number> {
  const { object_key, byte_offset, length, pixel_offset, tail_crc32 } = instance
  if (start === pixel_offset && start + bytes === length && tail_crc32 !== null) return tail_crc32
  let crc = 0
  if (bytes <= 0) return crc
  for await (const chunk of store.stream(object_key, byte_offset + start, bytes)) crc = crc32(chunk, crc)
  return crc
}
