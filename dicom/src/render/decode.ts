import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { type CodestreamInfo, inspectCodestream } from './codestream.ts'
import type { FrameBytes } from './frames.ts'
import { assertFrameFits, defaultMaxFrameBytes, frameBits, type ImageDescription } from './image-description.ts'
import { RenderError } from './render-error.ts'
import { decodeRle } from './rle.ts'
import { decodeWithNative, decodeWithWasm, type NativeDecodeCall, type WasmFormat } from './wasm-codecs.ts'

/** Uncompressed samples of one frame, little endian. */
export interface DecodedFrame {
  readonly rows: number
  readonly columns: number
  readonly samplesPerPixel: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly highBit: number
  readonly isSigned: boolean
  readonly isPlanar: boolean
  readonly isSubsampled: boolean
  /** Of `data`: decoders turn the colour spaces of JPEG and JPEG 2000 into RGB. */
  readonly photometric: string
  readonly kind: ImageDescription['kind']
  /** Bits before the first sample; only 1-bit frames have any. */
  readonly bitOffset: number
  readonly data: Uint8Array
}

export interface DecodeOptions {
  /** JPEG 2000 may then be decoded smaller, but with no edge below this. */
  readonly minEdge?: number
  readonly maxFrameBytes?: number
}

/**
 * Decodes one frame of any supported transfer syntax. The header of the compressed bytes goes before the
 * transfer syntax and the header.
 * @throws RenderError unsupported, damaged, tooLarge
 */
export async function decodeFrame(
  frame: FrameBytes,
  image: ImageDescription,
  options: DecodeOptions = {},
): Promise<DecodedFrame> {
  switch (image.coding) {
    case 'native':
      if (frame.bytes.length * 8 < frame.bitOffset + frameBits(image)) {
        throw new RenderError('damaged', 'The frame holds too few pixels.')
      }
      return { ...image, data: toLittleEndian(frame.bytes, image), bitOffset: frame.bitOffset }
    case 'deflatedFrames':
      return { ...image, data: await inflateFrame(frame.bytes, image), bitOffset: 0 }
    case 'rle': {
      const bytesPerSample = Math.max(1, image.bitsAllocated / 8)
      const pixels = image.rows * image.columns
      const data = decodeRle(frame.bytes, pixels, image.samplesPerPixel, bytesPerSample, image.isPlanar)
      return { ...image, data, bitOffset: 0, bitsAllocated: bytesPerSample * 8 }
    }
    case 'codestream':
      return decodeCodestream(frame.bytes, image, options)
    default:
      throw new RenderError('unsupported', 'The transfer syntax of this object is not supported.')
  }
}

function toLittleEndian(bytes: Uint8Array, image: ImageDescription): Uint8Array {
  const wordBytes = image.isByteSwapped ? 2 : image.bitsAllocated / 8
  if (!image.isBigEndian || wordBytes < 2) return bytes
  const swapped = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % wordBytes)))
  if (wordBytes === 2) swapped.swap16()
  else if (wordBytes === 4) swapped.swap32()
  else swapped.swap64()
  return new Uint8Array(swapped.buffer, swapped.byteOffset, swapped.length)
}

async function inflateFrame(bytes: Uint8Array, image: ImageDescription): Promise<Uint8Array> {
  const expected = Math.ceil(frameBits(image) / 8)
  let inflated: Uint8Array
  try {
    // Frames may carry a pad byte.
    inflated = await promisify(inflateRaw)(bytes, { maxOutputLength: expected + 1 })
  } catch (cause) {
    throw new RenderError('damaged', 'The deflated frame cannot be inflated.', { cause })
  }
  if (inflated.length < expected) throw new RenderError('damaged', 'The deflated frame holds too few pixels.')
  return inflated.subarray(0, expected)
}

interface Attempt {
  readonly width: number
  readonly height: number
  readonly bitsPerSample: number
  readonly componentCount: number
  readonly isSigned?: boolean
  readonly isPlanar: boolean
  readonly photometric: string
  readonly data: Uint8Array
}

async function decodeCodestream(
  bytes: Uint8Array,
  image: ImageDescription,
  options: DecodeOptions,
): Promise<DecodedFrame> {
  const info = inspectCodestream(bytes)
  if (info.format !== 'jpegXl') {
    if (info.rows === 0 || info.columns === 0) throw new RenderError('damaged', 'The compressed image has no size.')
    if (info.precision > 16) throw new RenderError('unsupported', 'Compressed images beyond 16 bits cannot be drawn.')
    // Sizes that differ a little are drawn as the codestream has them; a damaged size would claim gigabytes.
    const limit = options.maxFrameBytes ?? defaultMaxFrameBytes
    assertFrameFits(info.rows, info.columns, info.components, info.precision > 8 ? 16 : 8, limit)
  }
  const failures: unknown[] = []
  for (const attempt of attemptsFor(info, bytes, image, options.minEdge)) {
    try {
      return assemble(await attempt(), info, image)
    } catch (cause) {
      failures.push(cause)
    }
  }
  throw new RenderError('damaged', 'The compressed image cannot be decoded.', { cause: new AggregateError(failures) })
}

/** Decoders in the order to be tried. */
function attemptsFor(
  info: CodestreamInfo,
  bytes: Uint8Array,
  image: ImageDescription,
  minEdge: number | undefined,
): (() => Promise<Attempt>)[] {
  const photometric = photometricAfter(info, image)
  const wasm = (format: WasmFormat) => async () => {
    const reduceBy = format === 'jpeg2000' || format === 'htj2k' ? halvings(info, minEdge) : 0
    return { ...(await decodeWithWasm(format, bytes, reduceBy)), photometric }
  }
  const native = (call: NativeDecodeCall, convertsToRgb: boolean) => async () => {
    const decoded = await decodeWithNative(call, bytes, nativeLayout(info, image), convertsToRgb)
    return { ...decoded, photometric }
  }
  switch (info.format) {
    case 'jpeg':
      return info.precision === 8
        ? [wasm('jpeg'), native('decodeJpeg', info.components === 3)]
        : [native('decodeJpeg', info.components === 3)]
    case 'jpegLossless':
      return [native('decodeJpeg', false)]
    case 'jpegLs':
      // The second decoder does not say when it leaves planes.
      return info.components === 1 ? [wasm('jpegLs'), native('decodeJpegLs', false)] : [wasm('jpegLs')]
    case 'jpeg2000':
      return [wasm('jpeg2000'), native('decodeJpeg2000', false)]
    case 'htj2k':
      // Without a component transform both OpenJPH builds mix the lines of colours up.
      if (info.components > 1 && !info.hasComponentTransform) return [wasm('jpeg2000')]
      return [wasm('htj2k'), native('decodeHtJpeg2000', false)]
    case 'jpegXl':
      return [native('decodeJpegXl', false)]
  }
}

function nativeLayout(info: CodestreamInfo, image: ImageDescription) {
  const isHeaderRead = info.format !== 'jpegXl'
  const precision = isHeaderRead ? info.precision : image.bitsStored
  return {
    width: isHeaderRead ? info.columns : image.columns,
    height: isHeaderRead ? info.rows : image.rows,
    bitsAllocated: precision > 8 ? 16 : isHeaderRead ? 8 : image.bitsAllocated,
    bitsStored: precision,
    samplesPerPixel: isHeaderRead ? info.components : image.samplesPerPixel,
    pixelRepresentation: image.isSigned ? 1 : 0,
    planarConfiguration: 0,
    photometricInterpretation: image.photometric,
  }
}

function photometricAfter(info: CodestreamInfo, image: ImageDescription): string {
  if (info.format === 'jpegXl') return image.samplesPerPixel === 1 ? image.photometric : 'RGB'
  if (info.components === 1) return image.samplesPerPixel === 1 ? image.photometric : 'MONOCHROME2'
  if (info.format === 'jpeg' || info.hasComponentTransform) return 'RGB'
  if (info.format === 'jpeg2000' || info.format === 'htj2k') {
    return /^YBR_(ICT|RCT)$/.test(image.photometric) || image.samplesPerPixel === 1 ? 'RGB' : image.photometric
  }
  return image.samplesPerPixel === 1 ? 'RGB' : image.photometric
}

function halvings(info: CodestreamInfo, minEdge: number | undefined): number {
  if (minEdge === undefined) return 0
  const possible = Math.floor(Math.log2(Math.max(info.rows, info.columns) / minEdge))
  return Math.max(0, Math.min(info.decompositions, possible))
}

function assemble(decoded: Attempt, info: CodestreamInfo, image: ImageDescription): DecodedFrame {
  const samples = decoded.width * decoded.height * decoded.componentCount
  const bytesPerSample = decoded.data.length >= samples * 2 ? 2 : 1
  if (decoded.data.length < samples || samples === 0) throw new Error('the decoder gave too few pixels')
  // 8-bit streams in 16-bit objects are widened; streams wider than the header allows keep their own width.
  const bitsAllocated = Math.max(image.bitsAllocated <= 8 ? 8 : 16, bytesPerSample * 8)
  const precision = info.precision || image.bitsStored
  const isAsDeclared = bitsAllocated === image.bitsAllocated
  const bitsStored = isAsDeclared ? image.bitsStored : Math.min(precision, bitsAllocated)
  const isSigned = decoded.componentCount === 1 && image.isSigned
  const isWidened = bitsAllocated === 16 && bytesPerSample === 1
  const data = isWidened ? widen(decoded.data, samples, isSigned, precision) : decoded.data
  return {
    rows: decoded.height,
    columns: decoded.width,
    samplesPerPixel: decoded.componentCount,
    bitsAllocated,
    bitsStored,
    highBit: isAsDeclared && precision > image.bitsStored ? image.highBit : bitsStored - 1,
    isSigned,
    isPlanar: decoded.isPlanar,
    isSubsampled: false,
    photometric: decoded.photometric,
    kind: 'integer',
    bitOffset: 0,
    data: data.subarray(0, (samples * bitsAllocated) / 8),
  }
}

function widen(bytes: Uint8Array, samples: number, isSigned: boolean, precision: number): Uint8Array {
  const wide = new Uint16Array(samples)
  const signBit = 1 << (precision - 1)
  for (let index = 0; index < samples; index++) {
    const value = bytes[index] ?? 0
    wide[index] = isSigned && value & signBit ? value - (signBit << 1) : value
  }
  return new Uint8Array(wide.buffer)
}
