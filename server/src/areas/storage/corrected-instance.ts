import { crc32 } from 'node:zlib'
import { FIRST_READ_BYTES, MAX_INFLATED_BYTES, READ_GROWTH_FACTOR } from '@hilum/dicom/limits'
import { deflate, inflate } from '@hilum/dicom/node/inflate'
import { type DicomHeader, readHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { CharsetNeededError, type SplicedFile, spliceFile } from '@hilum/dicom/splice'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import { partsOfInstance } from './instance-parts.ts'
import type { StoredInstance } from './instance.sql.ts'
import type { Part } from './parts.ts'
import type { Correction } from './record-edits.ts'

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
    const isTooLarge = error instanceof DicomReadError && error.code === 'too-large'
    if (!(error instanceof CharsetNeededError) && !isTooLarge) throw error
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
  return spliceFile(bytes, header, correction.edits, {
    modifyingSystem: 'Hilum',
    modifiedAt: correction.modifiedAt,
    reason: 'CORRECT',
    inflate,
    deflate,
  })
}

/** What is read into memory of one file; a document may stand in it before anything that tells where it ends. */
const MAX_START_BYTES = MAX_INFLATED_BYTES

/**
 * The file up to its pixel data, read and understood; all of a deflated one.
 * @throws DicomReadError when it is damaged, or too large for that
 */
export async function readStart(
  store: FileStore,
  instance: StoredInstance,
): Promise<{ bytes: Uint8Array; header: DicomHeader }> {
  const { object_key, byte_offset, length, transfer_syntax, pixel_offset } = instance
  // A few bytes of the pixel data's own header tell the reader where to stop.
  let wanted = pixel_offset === null ? FIRST_READ_BYTES : pixel_offset + 16
  if (transferSyntaxOf(transfer_syntax).isDeflated) wanted = length
  for (;;) {
    if (Math.min(wanted, length) > MAX_START_BYTES) {
      throw new DicomReadError('too-large', `More than ${MAX_START_BYTES} bytes stand in front of the pixels`)
    }
    const bytes = await store.read(object_key, byte_offset, Math.min(wanted, length))
    const read = readHeader(bytes, { size: length, untilPixelData: true, inflate })
    if (read.kind === 'header') return { bytes, header: read.header }
    wanted = Math.max(read.atLeastBytes, Math.min(wanted * READ_GROWTH_FACTOR, MAX_START_BYTES))
  }
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
