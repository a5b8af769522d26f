import { sopClassOf } from '../sop-classes.ts'
import type { ImageHeader, PixelElement } from './image-header.ts'
import { RenderError } from './render-error.ts'
import { encapsulatedUncompressed, type PixelCoding, pixelCodingOf } from './transfer-syntax.ts'

/** How the pixels of an object are laid out, checked against what can be drawn. */
export interface ImageDescription {
  readonly rows: number
  readonly columns: number
  readonly samplesPerPixel: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly highBit: number
  readonly isSigned: boolean
  readonly isPlanar: boolean
  /** PhotometricInterpretation as written, e.g. `YBR_FULL_422`. */
  readonly photometric: string
  /** Native frames that the file cannot hold are not counted, whatever NumberOfFrames says. */
  readonly frameCount: number
  readonly kind: PixelElement['kind']
  readonly coding: PixelCoding
  /** Native pixels whose chroma is halved: two bytes a pixel. */
  readonly isSubsampled: boolean
  /** Bytes lie in swapped 16-bit words (big endian, VR OW, 8 bits or 1). */
  readonly isByteSwapped: boolean
  readonly isBigEndian: boolean
}

/** One frame, decoded. A large mammogram takes 27 MB, a whole chest film 50. */
export const defaultMaxFrameBytes = 256 * 1024 * 1024

/**
 * Checks an object's image attributes before anything is allocated for its pixels.
 * @throws RenderError when there is no picture, or none that can be drawn
 */
export function describeImage(header: ImageHeader, maxFrameBytes = defaultMaxFrameBytes): ImageDescription {
  const { attributes, pixelElement } = header
  if (pixelCodingOf(header.transferSyntaxUid) === 'video')
    throw new RenderError('noPicture', 'This object is a video and has no still picture.')
  if (!pixelElement) throw whyNoPixels(header)

  const rows = attributes.short(0x00280010) ?? 0
  const columns = attributes.short(0x00280011) ?? 0
  const samplesPerPixel = attributes.short(0x00280002) ?? 1
  const bitsAllocated = { integer: attributes.short(0x00280100) ?? 8, float: 32, double: 64 }[pixelElement.kind]
  if (rows === 0 || columns === 0) throw new RenderError('damaged', 'The image has no rows or no columns.')
  if (![1, 3, 4].includes(samplesPerPixel)) {
    throw new RenderError('unsupported', `Images with ${samplesPerPixel} samples per pixel cannot be drawn.`)
  }
  if (pixelElement.kind === 'integer' && ![1, 8, 16, 32].includes(bitsAllocated)) {
    throw new RenderError('unsupported', `Images with ${bitsAllocated} bits allocated cannot be drawn.`)
  }
  assertFrameFits(rows, columns, samplesPerPixel, bitsAllocated, maxFrameBytes)

  const storedBits = attributes.short(0x00280101) ?? bitsAllocated
  const bitsStored = storedBits >= 1 && storedBits <= bitsAllocated ? storedBits : bitsAllocated
  const highBit = attributes.short(0x00280102) ?? bitsStored - 1
  const photometric = attributes.text(0x00280004)?.toUpperCase() ?? (samplesPerPixel === 1 ? 'MONOCHROME2' : 'RGB')
  // Uncompressed pixels under a compressed transfer syntax have a defined length, and are drawn as what they are.
  const coding = pixelElement.length === undefined ? encapsulatedCoding(header.transferSyntaxUid) : 'native'
  const declaredFrames = Math.max(1, attributes.decimal(0x00280008) ?? 1)
  const shape = { rows, columns, samplesPerPixel, bitsAllocated }
  const isSubsampled =
    coding === 'native' && isStoredSubsampled(shape, photometric, declaredFrames, pixelElement.length ?? 0)
  const isBigEndian = attributes.isBigEndian && coding === 'native'
  const description: ImageDescription = {
    ...shape,
    bitsStored,
    highBit: highBit >= bitsStored - 1 && highBit < bitsAllocated ? highBit : bitsStored - 1,
    isSigned: attributes.short(0x00280103) === 1,
    isPlanar: samplesPerPixel > 1 && attributes.short(0x00280006) === 1,
    photometric,
    frameCount: declaredFrames,
    kind: pixelElement.kind,
    coding,
    isSubsampled,
    isByteSwapped: isBigEndian && bitsAllocated <= 8 && pixelElement.vr === 'OW',
    isBigEndian,
  }
  return { ...description, frameCount: countFrames(description, pixelElement.length) }
}

/** @throws RenderError tooLarge, before memory is taken */
export function assertFrameFits(
  rows: number,
  columns: number,
  samples: number,
  bits: number,
  maxFrameBytes: number,
): void {
  const bytes = (rows * columns * samples * bits) / 8
  if (bytes <= maxFrameBytes) return
  const megabytes = (count: number) => `${Math.ceil(count / 1024 / 1024)} MB`
  throw new RenderError(
    'tooLarge',
    `The image claims ${columns} × ${rows} pixels, ${megabytes(bytes)} a frame; the limit is ${megabytes(maxFrameBytes)}.`,
  )
}

/** Bits of one native frame. */
export function frameBits(image: ImageDescription): number {
  if (image.isSubsampled) return image.rows * image.columns * 16
  return image.rows * image.columns * image.samplesPerPixel * image.bitsAllocated
}

function encapsulatedCoding(transferSyntaxUid: string): PixelCoding {
  if (transferSyntaxUid === encapsulatedUncompressed) return 'native'
  const declared = pixelCodingOf(transferSyntaxUid)
  // Encapsulated although the transfer syntax is uncompressed: the bytes inside will say what they are.
  return declared === 'native' || declared === 'unknown' ? 'codestream' : declared
}

function isStoredSubsampled(
  shape: { rows: number; columns: number; samplesPerPixel: number; bitsAllocated: number },
  photometric: string,
  frames: number,
  length: number,
): boolean {
  if (!/^YBR_(FULL|PARTIAL)_422$/.test(photometric) || shape.samplesPerPixel !== 3 || shape.bitsAllocated !== 8) {
    return false
  }
  // Writers exist that say 422 and store every sample: the length tells.
  return length < shape.rows * shape.columns * 3 * frames
}

function countFrames(image: ImageDescription, length: number | undefined): number {
  if (image.coding !== 'native' || length === undefined) return image.frameCount
  return Math.max(1, Math.min(image.frameCount, Math.floor((length * 8) / frameBits(image))))
}

/** An object that is an image by its class, or describes pixels, and has none has lost its picture on its way here. */
function whyNoPixels({ attributes, isBrokenOff }: ImageHeader): RenderError {
  if (isBrokenOff)
    return new RenderError('damaged', 'The elements of this file break off before its picture, which is lost.')
  const { kind } = sopClassOf(attributes.text(0x00080016) ?? '')
  if (kind === 'image' || kind === 'segmentation' || attributes.has(0x00280100))
    return new RenderError('damaged', 'This image came without its pixels. Its picture is lost.')
  return new RenderError('noPicture', describeKind(attributes.text(0x00080060)))
}

function describeKind(modality: string | undefined): string {
  const kinds: Readonly<Record<string, string>> = {
    SR: 'This object is a structured report.',
    PR: 'This object is a presentation state.',
    KO: 'This object is a key object selection.',
    DOC: 'This object is a document.',
    ECG: 'This object is a waveform.',
    HD: 'This object is a waveform.',
    RTSTRUCT: 'This object is a radiotherapy structure set.',
    RTPLAN: 'This object is a radiotherapy plan.',
    REG: 'This object is a spatial registration.',
    ANN: 'This object holds annotations.',
  }
  return `${kinds[modality ?? ''] ?? 'This object holds no image.'} It has no picture.`
}
