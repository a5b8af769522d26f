import { type ByteSource, WindowedReader } from '../render/byte-source.ts'
import { decodeFrame, type DecodedFrame } from '../render/decode.ts'
import { listFragments } from '../render/fragments.ts'
import { readFrame } from '../render/frames.ts'
import { describeImage, type ImageDescription } from '../render/image-description.ts'
import type { ImageHeader } from '../render/image-header.ts'
import { RenderError } from '../render/render-error.ts'
import { toNativeFrame } from '../render/transcode.ts'
import { transferSyntaxOf } from '../transfer-syntaxes.ts'

export type PixelComparison = {
  isSame: boolean
  /** From 0; the first that differ. Empty where the pixels are not frames that can be told apart. */
  frames: number[]
}

const chunkBytes = 4 * 1024 * 1024
const maxReportedFrames = 100
const same: PixelComparison = { isSame: true, frames: [] }
const different: PixelComparison = { isSame: false, frames: [] }

/**
 * Compares the pixels of two objects: encoded bytes where both are encoded alike, else as decoded, where both are
 * without losses. An image compressed with losses is the same only in the same bytes.
 * @throws RenderError when pixels cannot be decoded
 */
export async function comparePixels(first: ImageHeader, second: ImageHeader): Promise<PixelComparison> {
  const [one, other] = [first.pixelElement, second.pixelElement]
  if (!one || !other) return one === other ? same : different
  if (one.kind !== other.kind) return different
  const isEncapsulated = [one.length === undefined, other.length === undefined]
  if (!isEncapsulated.includes(true) && first.attributes.isBigEndian === second.attributes.isBigEndian) {
    return (await isSameRange(
      first.source,
      one.offset,
      one.length ?? 0,
      second.source,
      other.offset,
      other.length ?? 0,
    ))
      ? same
      : compareFrames(first, second)
  }
  if (!isEncapsulated.includes(false) && (await isSameFragments(first, one.offset, second, other.offset))) return same
  return compareFrames(first, second)
}

async function compareFrames(first: ImageHeader, second: ImageHeader): Promise<PixelComparison> {
  const images = [describe(first), describe(second)] as const
  const [one, other] = images
  if (!one || !other) return different
  const isSameShape =
    one.rows === other.rows &&
    one.columns === other.columns &&
    one.samplesPerPixel === other.samplesPerPixel &&
    one.bitsAllocated === other.bitsAllocated &&
    one.frameCount === other.frameCount
  if (!isSameShape) return different
  const frames: number[] = []
  for (let frame = 0; frame < one.frameCount && frames.length < maxReportedFrames; frame += 1) {
    if (!(await isSameFrame(first, one, second, other, frame))) frames.push(frame)
  }
  return { isSame: frames.length === 0, frames }
}

async function isSameFrame(
  first: ImageHeader,
  one: ImageDescription,
  second: ImageHeader,
  other: ImageDescription,
  frame: number,
): Promise<boolean> {
  const [a, b] = [await readFrame(first, frame, one), await readFrame(second, frame, other)]
  const isAlike = first.transferSyntaxUid === second.transferSyntaxUid
  if (isAlike && one.coding !== 'native' && isSameButPadding(a.bytes, b.bytes)) return true
  if (isLossy(first, one) || isLossy(second, other)) return false
  return isSameDecoded(await decodeFrame(a, one), one, await decodeFrame(b, other), other)
}

function describe(header: ImageHeader): ImageDescription | undefined {
  try {
    return describeImage(header)
  } catch (error) {
    if (error instanceof RenderError) return undefined
    throw error
  }
}

function isLossy({ transferSyntaxUid }: ImageHeader, { coding }: ImageDescription): boolean {
  return coding !== 'native' && transferSyntaxOf(transferSyntaxUid).isLossy
}

function isSameDecoded(a: DecodedFrame, one: ImageDescription, b: DecodedFrame, other: ImageDescription): boolean {
  if (a.photometric !== b.photometric) return false
  const first = toNativeFrame(a, { ...one, isPlanar: false }).bytes
  const second = toNativeFrame(b, { ...other, isPlanar: false }).bytes
  if (isSameButPadding(first, second)) return true
  if (one.kind !== 'integer' || one.bitsAllocated < 8 || one.coding === other.coding) return false
  return isSameSamples(first, one, second, other)
}

/** Bits that no sample uses may be lost by a compression: they are the same where they hold nothing but the sign. */
function isSameSamples(first: Uint8Array, one: ImageDescription, second: Uint8Array, other: ImageDescription): boolean {
  if (first.length !== second.length || one.bitsStored !== other.bitsStored || one.isSigned !== other.isSigned)
    return false
  const size = one.bitsAllocated / 8
  const [a, b] = [viewOf(first), viewOf(second)]
  for (let at = 0; at + size <= first.length; at += size) {
    const value = sampleAt(a, at, one)
    if (value === undefined || value !== sampleAt(b, at, other)) return false
  }
  return true
}

/** Undefined where the unused bits hold something of their own. */
function sampleAt(view: DataView, at: number, image: ImageDescription): number | undefined {
  const { bitsAllocated, bitsStored, highBit } = image
  const word =
    bitsAllocated === 8 ? view.getUint8(at) : bitsAllocated === 16 ? view.getUint16(at, true) : view.getUint32(at, true)
  if (highBit !== bitsStored - 1 || bitsStored === 32) return word
  const range = 2 ** bitsStored
  const value = word % range
  const unused = Math.floor(word / range)
  const allOnes = 2 ** (bitsAllocated - bitsStored) - 1
  const isNegative = image.isSigned && value >= range / 2
  return unused === 0 || (isNegative && unused === allOnes) ? value : undefined
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

function isSameButPadding(one: Uint8Array, other: Uint8Array): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || (long[short.length] ?? 0) !== 0) return false
  return Buffer.compare(asBuffer(short), asBuffer(long).subarray(0, short.length)) === 0
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

async function isSameRange(
  first: ByteSource,
  start: number,
  length: number,
  second: ByteSource,
  otherStart: number,
  otherLength: number,
): Promise<boolean> {
  const shared = Math.min(length, otherLength)
  if (Math.abs(length - otherLength) > 1) return false
  for (let at = 0; at < shared; at += chunkBytes) {
    const count = Math.min(chunkBytes, shared - at)
    const [one, other] = await Promise.all([first.read(start + at, count), second.read(otherStart + at, count)])
    if (Buffer.compare(asBuffer(one), asBuffer(other)) !== 0) return false
  }
  const rest = length > otherLength ? await first.read(start + shared, 1) : await second.read(otherStart + shared, 1)
  return length === otherLength || rest[0] === 0
}

/** Whether the fragments behind the offset tables hold the same bytes, however they are cut. */
async function isSameFragments(
  first: ImageHeader,
  start: number,
  second: ImageHeader,
  other: number,
): Promise<boolean> {
  const [one, two] = [fragmentBytes(first, start), fragmentBytes(second, other)]
  let [a, b] = [new Uint8Array(0), new Uint8Array(0)] as [Uint8Array, Uint8Array]
  for (;;) {
    if (a.length === 0) a = (await one.next()).value ?? a
    if (b.length === 0) b = (await two.next()).value ?? b
    const count = Math.min(a.length, b.length)
    if (count === 0) return a.length === b.length
    if (Buffer.compare(asBuffer(a.subarray(0, count)), asBuffer(b.subarray(0, count))) !== 0) return false
    a = a.subarray(count)
    b = b.subarray(count)
  }
}

async function* fragmentBytes({ source }: ImageHeader, start: number): AsyncGenerator<Uint8Array, undefined> {
  const [, ...fragments] = await listFragments(new WindowedReader(source, 64 * 1024), start)
  for (const { offset, length } of fragments) {
    for (let at = 0; at < length; at += chunkBytes) {
      yield await source.read(offset + at, Math.min(chunkBytes, length - at))
    }
  }
  return undefined
}
