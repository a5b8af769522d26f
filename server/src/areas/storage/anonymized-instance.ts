import { crc32 } from 'node:zlib'
import { anonymizeFile } from '@hilum/dicom/anonymize'
import { readElementHeader, UNDEFINED_LENGTH } from '@hilum/dicom/elements'
import type { Correction } from '@hilum/dicom/node/correct-file'
import { deflate, inflate } from '@hilum/dicom/node/inflate'
import type { DicomHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { openFileSource, WindowedReader } from '@hilum/dicom/render/byte-source'
import { endOfFragments } from '@hilum/dicom/render/fragments'
import { joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { FileStore } from '../../outbound/storage/file-store.ts'
import type { TagChanges } from './anonymize-tags.ts'
import { asCorrected, crc32OfStored, type LeavingInstance, readStart } from './corrected-instance.ts'
import type { StoredInstance } from './instance.sql.ts'
import type { Part } from './parts.ts'

/** Room for the headers of some small fragments. */
const FRAGMENT_WINDOW_BYTES = 4096

/** How a download changes the files that leave: a record's corrections, and what the caller wants replaced. */
export type Change = Correction & { anonymize?: TagChanges }

/** An image in which not everything can be replaced that is to be; it must not leave. */
export class CannotAnonymizeError extends Error {
  override readonly name = 'CannotAnonymizeError'
}

/**
 * An instance on its way out, changed.
 * @throws CannotAnonymizeError
 */
export function asChanged(store: FileStore, instance: StoredInstance, change: Change): Promise<LeavingInstance> {
  const { anonymize } = change
  return anonymize ? asAnonymized(store, instance, change, anonymize) : asCorrected(store, instance, change)
}

/**
 * A new beginning and the stored pixel data; what stands behind these stays behind. The beginning is made again when its
 * turn to be sent comes, so a long list of these takes no memory.
 */
async function asAnonymized(
  store: FileStore,
  instance: StoredInstance,
  { edits }: Change,
  changes: TagChanges,
): Promise<LeavingInstance> {
  const { object_key, byte_offset } = instance
  const make = async () => {
    const { bytes, header } = await readStart(store, instance)
    const { prefix, pixelOffset } = anonymizeFile(bytes, header, { changes, edits }, { inflate, deflate })
    return { header, prefix, pixelOffset }
  }
  const { prefix, start, bytes } = await make().then(
    async ({ header, prefix, pixelOffset }) => {
      const start = pixelOffset ?? instance.length
      const end = pixelOffset === undefined ? start : await findPixelEnd(store, instance, header, pixelOffset)
      return { prefix, start, bytes: end - start }
    },
    (error: unknown) => {
      if (!(error instanceof DicomReadError) && !(error instanceof RangeError)) throw error
      throw new CannotAnonymizeError(error.message, { cause: error })
    },
  )
  const open = async function* (from: number, count: number) {
    const again = await make()
    yield again.prefix.subarray(from, from + count)
  }
  const pixels: Part = {
    kind: 'stream',
    length: bytes,
    open: (from, count) => store.stream(object_key, byte_offset + start + from, count),
  }
  return {
    parts: [{ kind: 'stream', length: prefix.length, open }, ...(bytes > 0 ? [pixels] : [])],
    length: prefix.length + bytes,
    crc32: joinCrc32(crc32(prefix), await crc32OfStored(store, instance, start, bytes), bytes),
    isCorrected: true,
  }
}

async function findPixelEnd(
  store: FileStore,
  instance: StoredInstance,
  { dataSet }: DicomHeader,
  pixelOffset: number,
): Promise<number> {
  const { source, encoding } = dataSet
  const { valueStart, length } = readElementHeader(source, pixelOffset, instance.length, encoding.isExplicit)
  if (length !== UNDEFINED_LENGTH) return valueStart + length
  await using file = await openFileSource(store.path(instance.object_key), instance.byte_offset, instance.length)
  const end = await endOfFragments(new WindowedReader(file, FRAGMENT_WINDOW_BYTES), valueStart)
  if (end === undefined) throw new CannotAnonymizeError('The pixel data has no end')
  return end
}
