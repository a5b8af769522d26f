import { encodeRaw, writeMeta, concatBytes } from '@hilum/dicom/write-part10'
import { DicomReadError } from '@hilum/dicom/read-error'
import { describeImage, frameBits, type ImageDescription } from '@hilum/dicom/render/image-description'
import { type ImageHeader, type PixelElement, readImageHeader } from '@hilum/dicom/render/image-header'
import { RenderError } from '@hilum/dicom/render/render-error'
import { Tag } from '@hilum/dicom/tags'
import { ExplicitLittleEndian, ImplicitLittleEndian } from '@hilum/dicom/transfer-syntaxes'
import type { Services } from '../../services.ts'
import type { OutgoingFile } from '../altered/corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { storeOf } from '../storage/own-bytes.ts'
import { lengthOfParts, type Part } from '../storage/parts.ts'
import { encodeExplicit } from './explicit-data-set.ts'
import { readOutgoingHeader } from './outgoing-header.ts'
import { transcodeStoredFrame } from './read-frames.command.ts'

/** An element's length has four bytes, and all ones means "undefined". */
const maxElementBytes = 0xffff_fffe
const explicitLittle = { isExplicit: true, isLittleEndian: true }
const pixelElements: Record<PixelElement['kind'], { tag: number; vr: string }> = {
  integer: { tag: Tag.PixelData, vr: 'OW' },
  float: { tag: Tag.FloatPixelData, vr: 'OF' },
  double: { tag: Tag.DoubleFloatPixelData, vr: 'OD' },
}
/** Written anew, or meaningless once the pixels are. */
const leftOut = new Set<number>([
  Tag.ExtendedOffsetTable,
  Tag.ExtendedOffsetTableLengths,
  ...Object.values(pixelElements).map((one) => one.tag),
])

/**
 * An instance in Explicit VR Little Endian, its pixels decoded a frame at a time while they are sent. Where decoding
 * gives RGB the Photometric Interpretation says so. Elements after the pixel data of the stored file (padding,
 * signatures over the bytes as they were) are not sent.
 * @param outgoing the instance as it leaves otherwise, corrections applied
 * @throws RenderError when its pixels cannot be decoded
 */
export async function asExplicit(
  services: Services,
  instance: StoredInstance,
  outgoing: OutgoingFile,
): Promise<{ parts: Part[]; length: number }> {
  const { header } = await readStoredHeader(instance, outgoing)
  const { sopClassUid, sopInstanceUid, dataSet } = header
  const meta = writeMeta(sopClassUid, sopInstanceUid, ExplicitLittleEndian)
  const pixels = await planPixels(services, instance)
  const replaced = withoutPixels()
  if (!pixels) return whole([{ kind: 'bytes', bytes: concatBytes([meta, encodeExplicit(dataSet, replaced)]) }])
  const photometric = Buffer.from(pixels.photometric, 'latin1')
  replaced.set(
    Tag.PhotometricInterpretation,
    encodeRaw(Tag.PhotometricInterpretation, 'CS', photometric, explicitLittle),
  )
  const prefix = concatBytes([meta, encodeExplicit(dataSet, replaced), pixelElementHeader(pixels.image, pixels.length)])
  return whole([
    { kind: 'bytes', bytes: prefix },
    { kind: 'stream', length: pixels.length, open: pixels.open },
    ...(pixels.length % 2 === 1 ? [{ kind: 'bytes', bytes: new Uint8Array(1) } as const] : []),
  ])
}

/** A start for what `encodeExplicit` is to replace: pixel data and what points into it are left out. */
export function withoutPixels(): Map<number, Uint8Array | undefined> {
  return new Map([...leftOut].map((tag) => [tag, undefined]))
}

/**
 * The header of an instance that is to be written anew.
 * @throws RenderError damaged, tooLarge
 */
export async function readStoredHeader(instance: StoredInstance, outgoing: OutgoingFile) {
  try {
    const read = await readOutgoingHeader(instance, outgoing)
    if (read.header.isComplete || read.header.pixelOffset !== undefined) return read
  } catch (cause) {
    if (cause instanceof DicomReadError) throw new RenderError('damaged', cause.message, { cause })
    throw cause
  }
  throw new RenderError('tooLarge', 'The header is too large to be written anew.')
}

type Pixels = {
  image: ImageDescription
  photometric: string
  length: number
  open: (start: number, count: number) => AsyncIterable<Uint8Array>
}

/** Where the native pixels come from; undefined for an object without any. */
async function planPixels(services: Services, instance: StoredInstance): Promise<Pixels | undefined> {
  const { store } = services
  await using source = await storeOf(store, instance).open(instance)
  const header = await readImageHeader(source, instance.transfer_syntax)
  const element = header.pixelElement
  if (!element || element.length === 0) return undefined
  const image = describeImage(header)
  if (isPlain(header, element)) {
    const { offset, length = 0 } = element
    const open = (start: number, count: number) =>
      store.stream(instance.object_key, instance.byte_offset + offset + start, count)
    return { image, photometric: image.photometric, length, open }
  }
  const bits = frameBits(image)
  if (bits % 8 !== 0 && image.frameCount > 1)
    throw new RenderError('unsupported', 'Frames of single bits that share bytes are given as stored only.')
  const frameBytes = Math.ceil(bits / 8)
  const length = frameBytes * image.frameCount
  if (length > maxElementBytes)
    throw new RenderError('tooLarge', 'The decoded pixels are larger than one element can be.')
  // the first frame tells whether all can be decoded, and to which colours
  const first = await transcodeStoredFrame(services, instance, 0)
  if (first.bytes.length !== frameBytes) throw new RenderError('damaged', 'The image and its header disagree.')
  const open = async function* (start: number, count: number) {
    const end = start + count
    for (let frame = Math.floor(start / frameBytes); frame * frameBytes < end; frame++) {
      const { bytes } = frame === 0 ? first : await transcodeStoredFrame(services, instance, frame)
      if (bytes.length !== frameBytes) throw new RenderError('damaged', 'The image and its header disagree.')
      const at = frame * frameBytes
      yield bytes.subarray(Math.max(0, start - at), Math.min(frameBytes, end - at))
    }
  }
  return { image, photometric: first.photometric, length, open }
}

/** Native little endian bytes that lie in the file as they are wanted. */
function isPlain(header: ImageHeader, element: PixelElement): boolean {
  const isLittle = [ImplicitLittleEndian, ExplicitLittleEndian].includes(header.transferSyntaxUid)
  return isLittle && element.length !== undefined
}

function pixelElementHeader(image: ImageDescription, length: number): Uint8Array {
  const { tag, vr } = pixelElements[image.kind]
  const bytes = encodeRaw(tag, vr, new Uint8Array(0), explicitLittle)
  new DataView(bytes.buffer).setUint32(8, length + (length % 2), true)
  return bytes
}

function whole(parts: Part[]): { parts: Part[]; length: number } {
  return { parts, length: lengthOfParts(parts) }
}
