import { crc32 } from 'node:zlib'
import { anonymizeFile } from '@hilum/dicom/anonymize'
import type { Correction } from '@hilum/dicom/node/correct-file'
import { DicomReadError } from '@hilum/dicom/read-error'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import type { AttributeChanges } from './anonymize-attributes.ts'
import { CannotSendError } from './cannot-send.ts'
import { asCorrected, crc32OfStored, type OutgoingFile, readBehind, readInstanceStart } from './corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import type { Part } from '../storage/parts.ts'
import { findPixelEnd } from '../storage/pixel-end.ts'
import { rewrittenDeflated } from './rewritten-deflated.ts'

/** How a download changes the files that leave: a record's corrections, and what the caller wants replaced. */
export type Change = Correction & { anonymize?: AttributeChanges }

/**
 * An instance on its way out, changed.
 * @throws CannotSendError
 */
export function asChanged(store: ObjectStore, instance: StoredInstance, change: Change): Promise<OutgoingFile> {
  const { anonymize } = change
  return anonymize ? asAnonymized(store, instance, change, anonymize) : asCorrected(store, instance, change)
}

/**
 * A new beginning and the stored pixel data; what stands behind these stays behind. The beginning is made again when its
 * turn to be sent comes, so a long list of these takes no memory.
 */
async function asAnonymized(
  store: ObjectStore,
  instance: StoredInstance,
  { edits, withholdsFormer = false }: Change,
  changes: AttributeChanges,
): Promise<OutgoingFile> {
  const { object_key, byte_offset } = instance
  const correction = { edits, withholdsFormer }
  const make = async () => {
    if (transferSyntaxOf(instance.transfer_syntax).isDeflated) {
      const { bytes } = await rewrittenDeflated(store, instance, { kind: 'anonymize', changes, correction })
      return { prefix: bytes, pixels: undefined }
    }
    const beginning = await readInstanceStart(store, instance)
    const { bytes, header } = beginning
    const behind = withholdsFormer ? { behind: (await readBehind(store, instance, beginning)).bytes } : {}
    const { prefix, pixelOffset } = anonymizeFile(bytes, header, { changes, ...correction, ...behind }, {})
    return { prefix, pixels: pixelOffset === undefined ? undefined : { header, pixelOffset } }
  }
  const { prefix, start, bytes } = await make().then(
    async ({ prefix, pixels }) => {
      const start = pixels?.pixelOffset ?? instance.length
      const end = pixels ? await findPixelEnd(store, instance, pixels.header, pixels.pixelOffset) : start
      return { prefix, start, bytes: end - start }
    },
    (error: unknown) => {
      if (!(error instanceof DicomReadError) && !(error instanceof RangeError)) throw error
      throw new CannotSendError('anonymized', instance.sop_uid, error)
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
