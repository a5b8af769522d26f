import { crc32 } from 'node:zlib'
import { type Correction, correctFile } from '@hilum/dicom/node/correct-file'
import { type FileBeginning, type FileFacts, readUpToPixels } from '@hilum/dicom/node/read-beginning'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { SplicedFile } from '@hilum/dicom/splice'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { joinCrc32 } from '../../outbound/storage/crc32.ts'
import type { ObjectStore } from '../../outbound/storage/object-store.ts'
import { CannotSendError } from './cannot-send.ts'
import { asFile, beginningOf } from '../storage/instance-parts.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { storeOf } from '../storage/own-bytes.ts'
import type { Part } from '../storage/parts.ts'
import { findPixelEnd } from '../storage/pixel-end.ts'
import { rewrittenDeflated } from './rewritten-deflated.ts'

/** Elements behind the pixel data are padding, signatures, a few private texts. */
const MAX_BYTES_BEHIND = 16 * 1024 * 1024

/** An instance on its way out. */
export type OutgoingFile = { parts: Part[]; length: number; crc32: number; isCorrected: boolean }

/** An instance as it was stored, but for a blanked preamble, and with the beginning of a file where it came without. */
export function asReceived(store: ObjectStore, instance: StoredInstance): OutgoingFile {
  return { ...asFile(storeOf(store, instance), instance, beginningOf(instance)), isCorrected: false }
}

/**
 * An instance with a record's edits applied where they hold: a rewritten beginning and the stored rest. The beginning is
 * made again when its turn to be sent comes, so a long list of these takes no memory.
 * @throws CannotSendError
 */
export async function asCorrected(
  store: ObjectStore,
  instance: StoredInstance,
  correction: Correction,
): Promise<OutgoingFile> {
  const { prefix, isChanged, tailOffset, tailEnd, behind } = await splice(store, instance, correction)
  if (!isChanged) return asReceived(store, instance)
  const prefixBytes = prefix.length
  const tailBytes = tailEnd - tailOffset
  const open = async function* (start: number, count: number) {
    const again = await splice(store, instance, correction)
    yield again.prefix.subarray(start, start + count)
  }
  const tail: Part = {
    kind: 'stream',
    length: tailBytes,
    open: (start, count) => store.stream(instance.object_key, instance.byte_offset + tailOffset + start, count),
  }
  const crcOfTail = await crc32OfStored(store, instance, tailOffset, tailBytes)
  return {
    parts: [
      { kind: 'stream', length: prefixBytes, open },
      ...(tailBytes > 0 ? [tail] : []),
      ...(behind.length > 0 ? [{ kind: 'bytes', bytes: behind } as const] : []),
    ],
    length: prefixBytes + tailBytes + behind.length,
    crc32: joinCrc32(joinCrc32(crc32(prefix), crcOfTail, tailBytes), crc32(behind), behind.length),
    isCorrected: true,
  }
}

/**
 * Makes sure that an instance can leave with the corrections of its record.
 * @throws CannotSendError
 */
export async function demandCorrectable(store: ObjectStore, instance: StoredInstance, correction: Correction) {
  await splice(store, instance, correction)
}

type Spliced = Pick<SplicedFile, 'prefix' | 'tailOffset'> & {
  isChanged: boolean
  /** Where the stored bytes end that follow the prefix. */
  tailEnd: number
  /** The bytes that follow those. */
  behind: Uint8Array
}

async function splice(store: ObjectStore, instance: StoredInstance, correction: Correction): Promise<Spliced> {
  try {
    const end = { tailEnd: instance.length, behind: new Uint8Array() }
    if (transferSyntaxOf(instance.transfer_syntax).isDeflated) {
      const { bytes, isChanged } = await rewrittenDeflated(store, instance, { kind: 'correct', correction })
      return { prefix: bytes, isChanged, tailOffset: instance.length, ...end }
    }
    const beginning = await readInstanceStart(store, instance)
    const stored = correction.withholdsFormer ? await readBehind(store, instance, beginning) : undefined
    const spliced = correctFile(beginning.bytes, beginning.header, correction, { behind: stored?.bytes })
    const { prefix, isChanged, tailOffset, behindPixels } = spliced
    const whole = { prefix, isChanged, tailOffset, ...end }
    if (!isChanged || (!stored && beginning.header.pixelOffset === undefined)) return whole
    const { bytes, start: tailEnd } = stored ?? (await readBehind(store, instance, beginning))
    const behind = behindPixels(bytes)
    return behind === bytes ? whole : { ...whole, tailEnd, behind }
  } catch (error) {
    if (!(error instanceof DicomReadError)) throw error
    const isOpenAsReceived = !correction.withholdsFormer
    throw new CannotSendError('corrected', instance.sop_uid, error, { isOpenAsReceived })
  }
}

/**
 * The bytes behind the pixel data of a file that is not deflated, or behind its last element, and their offset.
 * @throws DicomReadError when the pixels have no end, or too much follows them
 */
export async function readBehind(
  store: ObjectStore,
  instance: StoredInstance,
  { header }: FileBeginning,
): Promise<{ bytes: Uint8Array; start: number }> {
  const { object_key, byte_offset, length } = instance
  const { pixelOffset } = header
  const start =
    pixelOffset === undefined ? header.dataSet.end : await findPixelEnd(store, instance, header, pixelOffset)
  if (start >= length) return { bytes: new Uint8Array(), start: length }
  if (length - start > MAX_BYTES_BEHIND)
    throw new DicomReadError('too-large', `More than ${MAX_BYTES_BEHIND} bytes stand behind the pixels`)
  return { bytes: await store.read(object_key, byte_offset + start, length - start), start }
}

/**
 * The file up to its pixel data, read and understood; all of a deflated one.
 * @throws DicomReadError when it is damaged, or too large for that
 */
export function readInstanceStart(store: ObjectStore, instance: StoredInstance): Promise<FileBeginning> {
  const { object_key, byte_offset } = instance
  const own = storeOf(store, instance)
  return readUpToPixels((bytes) => own.read(object_key, byte_offset, bytes), factsOfInstance(instance))
}

/** The facts that the reader of a file's beginning needs. */
export function factsOfInstance(instance: StoredInstance): FileFacts {
  const { length, transfer_syntax: transferSyntax, pixel_offset: pixelOffset } = instance
  return { length, transferSyntax, pixelOffset }
}

/** Of a stretch of the stored file, known without reading where it is all from the pixel data on. */
export async function crc32OfStored(
  store: ObjectStore,
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
