import { type FrameEncoding, syntaxOfEncoding } from '@hilum/dicom/render/encodings'
import { describeImage } from '@hilum/dicom/render/image-description'
import { readImageHeader } from '@hilum/dicom/render/image-header'
import { RenderError } from '@hilum/dicom/render/render-error'
import { Tag } from '@hilum/dicom/tags'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { concatBytes, encodeElements, encodeItem, writeMeta } from '@hilum/dicom/write-part10'
import type { Services } from '../../services.ts'
import type { OutgoingFile } from '../altered/corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { storeOf } from '../storage/own-bytes.ts'
import { lengthOfParts, type Part } from '../storage/parts.ts'
import { encodeExplicit } from './explicit-data-set.ts'
import { readStoredHeader, withoutPixels } from './explicit-instance.command.ts'
import { transcodeStoredFrame } from './read-frames.command.ts'

const explicitLittle = { isExplicit: true, isLittleEndian: true }
/** Offsets of the Basic Offset Table have four bytes. */
const maxPixelBytes = 0xffff_fffe
const defaultMaxMemoryBytes = 32 * 1024 * 1024
/** Pixel Data, OB, of undefined length. */
const pixelElementHeader = Uint8Array.of(0xe0, 0x7f, 0x10, 0, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0xff)
const sequenceDelimiter = Uint8Array.of(0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0)
const itemHeaderBytes = 8

interface EncodeOptions {
  /** Of encoded frames until they are sent; further ones are encoded a second time then. Default 32 MB. */
  maxMemoryBytes?: number
  /** Ends the first encoding between two frames. */
  signal?: AbortSignal | undefined
}

/**
 * An instance with its pixels compressed without losses: one fragment a frame and a Basic Offset Table. All frames are
 * encoded before the first byte leaves, because the table and the length of the answer come first. Elements after the
 * pixel data of the stored file are not sent.
 * @param outgoing the instance as it leaves otherwise, corrections applied
 * @throws RenderError when the pixels cannot be decoded or encoded, or are stored with losses
 */
export async function asEncoded(
  services: Services,
  instance: StoredInstance,
  outgoing: OutgoingFile,
  encoding: FrameEncoding,
  options: EncodeOptions = {},
): Promise<{ parts: Part[]; length: number }> {
  const { header } = await readStoredHeader(instance, outgoing)
  const { sopClassUid, sopInstanceUid, dataSet } = header
  const { lengths, photometric, samplesPerPixel, open } = await encodeFrames(services, instance, encoding, options)
  const replaced = withoutPixels()
  replaced.set(
    Tag.PhotometricInterpretation,
    encodeElements([{ tag: Tag.PhotometricInterpretation, vr: 'CS', value: photometric }], explicitLittle),
  )
  if (samplesPerPixel > 1) {
    const interleaved = { tag: Tag.PlanarConfiguration, vr: 'US', value: 0 }
    replaced.set(Tag.PlanarConfiguration, encodeElements([interleaved], explicitLittle))
  }
  const prefix = concatBytes([
    writeMeta(sopClassUid, sopInstanceUid, syntaxOfEncoding[encoding]),
    encodeExplicit(dataSet, replaced),
    pixelElementHeader,
    encodeItem(offsetTable(lengths), explicitLittle),
  ])
  const parts: Part[] = [
    { kind: 'bytes', bytes: prefix },
    { kind: 'stream', length: sum(lengths), open },
    { kind: 'bytes', bytes: sequenceDelimiter },
  ]
  return { parts, length: lengthOfParts(parts) }
}

/** Every frame encoded once. The lengths are those of their items, headers and padding included. */
async function encodeFrames(
  services: Services,
  instance: StoredInstance,
  encoding: FrameEncoding,
  { maxMemoryBytes = defaultMaxMemoryBytes, signal }: EncodeOptions,
) {
  const { frameCount, samplesPerPixel } = await describeStored(services, instance)
  const lengths: number[] = []
  const pieces: Uint8Array[] = []
  let total = 0
  let photometric = ''
  for (let frame = 0; frame < frameCount; frame++) {
    const encoded = await transcodeStoredFrame(services, instance, frame, encoding, signal)
    photometric = encoded.photometric
    const length = itemHeaderBytes + encoded.bytes.length + (encoded.bytes.length % 2)
    total += length
    if (total > maxPixelBytes)
      throw new RenderError('tooLarge', 'The compressed pixels are larger than an offset table can tell.')
    if (total <= maxMemoryBytes) pieces.push(encoded.bytes)
    lengths.push(length)
  }
  const open = async function* (start: number, count: number) {
    const end = start + count
    let at = 0
    for (const [frame, length] of lengths.entries()) {
      if (at >= end) return
      if (at + length > start) {
        const bytes = pieces[frame] ?? (await transcodeStoredFrame(services, instance, frame, encoding)).bytes
        const item = encodeItem(
          bytes.length % 2 === 0 ? bytes : concatBytes([bytes, new Uint8Array(1)]),
          explicitLittle,
        )
        if (item.length !== length) throw new RenderError('damaged', 'The pixels changed while they were sent.')
        yield item.subarray(Math.max(0, start - at), Math.min(length, end - at))
      }
      at += length
    }
  }
  return { lengths, photometric, samplesPerPixel, open }
}

async function describeStored({ store }: Services, instance: StoredInstance) {
  if (transferSyntaxOf(instance.transfer_syntax).isLossy) {
    const message =
      'What is stored with losses is not compressed anew; it is given as stored or in 1.2.840.10008.1.2.1.'
    throw new RenderError('unsupported', message)
  }
  await using source = await storeOf(store, instance).open(instance)
  return describeImage(await readImageHeader(source, instance.transfer_syntax))
}

/** Where each frame's item begins, counted from the first. Source: PS3.5 §A.4. */
function offsetTable(lengths: readonly number[]): Uint8Array {
  const table = new Uint8Array(lengths.length * 4)
  const view = new DataView(table.buffer)
  let at = 0
  for (const [frame, length] of lengths.entries()) {
    view.setUint32(frame * 4, at, true)
    at += length
  }
  return table
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
