import type { DecodedFrame } from './decode.ts'
import { frameBits, type ImageDescription } from './image-description.ts'
import { RenderError } from './render-error.ts'

/** One frame as native pixel bytes of Explicit VR Little Endian. */
export interface NativeFrame {
  readonly bytes: Uint8Array
  /**
   * Differs from the object's where decoding gave RGB (JPEG and JPEG 2000 in YBR): whoever sends the bytes must send
   * this along.
   */
  readonly photometric: string
}

/**
 * Lays a decoded frame out as the object's own header describes it: same bits, same planar configuration. Exact
 * where the compression was lossless.
 * @throws RenderError damaged, when the compressed image contradicts the header
 */
export function toNativeFrame(frame: DecodedFrame, image: ImageDescription): NativeFrame {
  const { photometric } = frame
  if (image.bitsAllocated === 1) return { bytes: fromFirstBit(frame, frameBits(image)), photometric }
  const isSameShape =
    frame.rows === image.rows &&
    frame.columns === image.columns &&
    frame.samplesPerPixel === image.samplesPerPixel &&
    frame.bitsAllocated === image.bitsAllocated
  if (!isSameShape) throw new RenderError('damaged', 'The compressed image and the header describe different pixels.')
  const start = frame.bitOffset / 8
  const bytes = frame.data.subarray(start, start + frameBits(image) / 8)
  if (frame.isPlanar === image.isPlanar) return { bytes, photometric }
  return { bytes: rearrange(bytes, frame, image.isPlanar), photometric }
}

function fromFirstBit(frame: DecodedFrame, bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits / 8))
  const skipped = frame.bitOffset >>> 3
  const shift = frame.bitOffset & 7
  for (let index = 0; index < bytes.length; index++) {
    const low = (frame.data[skipped + index] ?? 0) >>> shift
    bytes[index] = low | ((frame.data[skipped + index + 1] ?? 0) << (8 - shift))
  }
  const left = bits % 8
  if (left > 0) bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) & ((1 << left) - 1)
  return bytes
}

function rearrange(bytes: Uint8Array, frame: DecodedFrame, toPlanar: boolean): Uint8Array {
  const pixels = frame.rows * frame.columns
  const samples = frame.samplesPerPixel
  const width = frame.bitsAllocated / 8
  const out = new Uint8Array(bytes.length)
  for (let sample = 0; sample < samples; sample++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      const planarAt = (sample * pixels + pixel) * width
      const interleavedAt = (pixel * samples + sample) * width
      const from = toPlanar ? interleavedAt : planarAt
      const to = toPlanar ? planarAt : interleavedAt
      for (let byte = 0; byte < width; byte++) out[to + byte] = bytes[from + byte] ?? 0
    }
  }
  return out
}
