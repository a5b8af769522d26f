import { type DecodedFrame, decodeFrame } from './decode.ts'
import type { FrameEncoding } from './encodings.ts'
import type { ImageDescription } from './image-description.ts'
import { RenderError } from './render-error.ts'
import { type NativeFrame, toNativeFrame } from './transcode.ts'
import { encodeWithWasm } from './wasm-encoders.ts'

/**
 * Refuses what the encoding cannot hold without losses, before anything is decoded.
 * @throws RenderError unsupported
 */
export function assertEncodable(image: ImageDescription, encoding: FrameEncoding): void {
  const { kind, bitsAllocated, samplesPerPixel, isSubsampled } = image
  if (kind !== 'integer') throw refusal('Pixels of floating point cannot be compressed here.')
  if (bitsAllocated !== 8 && bitsAllocated !== 16)
    throw refusal(`Pixels of ${bitsAllocated} ${bitsAllocated === 1 ? 'bit' : 'bits'} cannot be compressed here.`)
  if (samplesPerPixel !== 1 && samplesPerPixel !== 3)
    throw refusal(`Pixels of ${samplesPerPixel} samples cannot be compressed here.`)
  if (isSubsampled) throw refusal('Colours of half the resolution cannot be compressed here.')
  if (encoding === 'jpegLs') return
  // Both encoders of wavelets keep no sign in 8 bits, and no colour beyond them.
  if (bitsAllocated === 8 && image.isSigned) throw refusal('Signed pixels of 8 bits cannot become JPEG 2000 here.')
  if (bitsAllocated === 16 && samplesPerPixel === 3) throw refusal('Colours of 16 bits cannot become JPEG 2000 here.')
}

/**
 * A decoded frame as a lossless codestream, its samples interleaved. The result is decoded again and compared: pixels
 * that would come back otherwise are refused.
 * @returns the bytes, and the Photometric Interpretation of an object that holds them
 * @throws RenderError unsupported
 */
export async function encodeFrame(
  decoded: DecodedFrame,
  image: ImageDescription,
  encoding: FrameEncoding,
): Promise<NativeFrame> {
  assertEncodable(image, encoding)
  const interleaved = { ...image, isPlanar: false }
  const native = toNativeFrame(decoded, interleaved)
  const photometric = photometricOf(native.photometric, image.samplesPerPixel, encoding)
  const bytes = await encodeWithWasm(encoding, {
    bytes: native.bytes,
    width: image.columns,
    height: image.rows,
    bitsPerSample: precisionOf(native.bytes, image, encoding),
    componentCount: image.samplesPerPixel,
    isSigned: image.isSigned,
  })
  const written: ImageDescription = { ...interleaved, photometric, coding: 'codestream', isBigEndian: false }
  const again = toNativeFrame(await decodeFrame({ bytes, bitOffset: 0 }, written), interleaved)
  if (Buffer.compare(again.bytes, native.bytes) !== 0)
    throw refusal('These pixels would not come back as they are from this compression.')
  return { bytes, photometric }
}

/** Source: PS3.5 §8.2.3 and §8.2.4: what goes through the component transform is called YBR_RCT. */
function photometricOf(photometric: string, samplesPerPixel: number, encoding: FrameEncoding): string {
  if (samplesPerPixel === 1) return photometric
  if (photometric === 'RGB') return encoding === 'jpegLs' ? 'RGB' : 'YBR_RCT'
  if (photometric === 'YBR_FULL' && encoding === 'jpegLs') return photometric
  throw refusal(`Colours in ${photometric} cannot be compressed so here.`)
}

/**
 * Bits Stored where all values are within them; otherwise the whole word, which keeps what is written above them
 * (overlays of old). JPEG-LS knows no sign, so signed values take the whole word as well.
 */
function precisionOf(bytes: Uint8Array, image: ImageDescription, encoding: FrameEncoding): number {
  const { bitsAllocated, bitsStored, isSigned } = image
  // Readers take the size of a word from the precision.
  const isOtherWord = bitsStored < 2 || (bitsAllocated === 16 && bitsStored <= 8)
  if (bitsStored === bitsAllocated || isOtherWord || (isSigned && encoding === 'jpegLs')) return bitsAllocated
  const low = isSigned ? -(2 ** (bitsStored - 1)) : 0
  const high = isSigned ? 2 ** (bitsStored - 1) - 1 : 2 ** bitsStored - 1
  for (const value of wordsOf(bytes, bitsAllocated, isSigned)) if (value < low || value > high) return bitsAllocated
  return bitsStored
}

function wordsOf(bytes: Uint8Array, bitsAllocated: number, isSigned: boolean): Uint8Array | Uint16Array | Int16Array {
  if (bitsAllocated === 8) return bytes
  const { buffer, byteOffset, length } = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice()
  if (isSigned) return new Int16Array(buffer, byteOffset, length / 2)
  return new Uint16Array(buffer, byteOffset, length / 2)
}

function refusal(message: string): RenderError {
  return new RenderError('unsupported', message)
}
