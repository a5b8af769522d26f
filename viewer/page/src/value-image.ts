import type { Types } from '@cornerstonejs/core'
import { type DicomObject, numberOf } from './dicom-json.ts'
import { RequestError } from './request-error.ts'
import { bitsOf, embeddedOverlays, isFloat } from './hard-images.ts'
import { readPart } from './read-part.ts'

/** Asks for a frame without compression. */
export const UNCOMPRESSED = 'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1'

/**
 * An image made of the values of a frame: bits of overlays inside the pixels are no part of them, and floating point
 * values stay as they are.
 * @param body the answer to a request for the frame as UNCOMPRESSED
 * @returns the bits of overlays inside the pixels besides, by their number
 * @throws RequestError where there are fewer bytes than pixels
 */
export function readValueImage(
  imageId: string,
  instance: DicomObject,
  body: Uint8Array,
): { image: Types.IImage; embedded: Map<number, Uint8Array> } {
  const height = numberOf(instance, '00280010') ?? 0
  const width = numberOf(instance, '00280011') ?? 0
  const stored = storedValues(readPart(body), instance, width * height)
  const slope = numberOf(instance, '00281053') || 1
  const intercept = numberOf(instance, '00281052') ?? 0
  const values = Float32Array.from(stored.values, (value) => value * slope + intercept)
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  const isInverted = instance['00280004']?.Value?.[0] === 'MONOCHROME1'
  const { words } = stored
  return {
    image: makeImage(imageId, { width, height, values, isColour: false, low, high, isInverted }),
    embedded: new Map(
      words && embeddedOverlays(instance).map(({ bit }) => [bit, Uint8Array.from(words, (word) => (word >>> bit) & 1)]),
    ),
  }
}

/** An image in colour made of a picture that the server has drawn. */
export async function readPictureImage(imageId: string, picture: Blob): Promise<Types.IImage> {
  const bitmap = await createImageBitmap(picture)
  const { width, height } = bitmap
  const drawing = new OffscreenCanvas(width, height).getContext('2d')
  if (!drawing) throw new Error('The browser gives no canvas')
  drawing.drawImage(bitmap, 0, 0)
  bitmap.close()
  const { data } = drawing.getImageData(0, 0, width, height)
  const colours = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; from < data.length; from += 4) {
    colours[to++] = data[from] ?? 0
    colours[to++] = data[from + 1] ?? 0
    colours[to++] = data[from + 2] ?? 0
  }
  return makeImage(imageId, { width, height, values: colours, isColour: true, low: 0, high: 255 })
}

/** @throws RequestError where there are fewer bytes than pixels */
function storedValues(
  bytes: Uint8Array,
  instance: DicomObject,
  count: number,
): { values: ArrayLike<number>; words?: Uint8Array | Uint16Array | Uint32Array } {
  const whole = bytes.slice() // aligned
  const need = (size: number) => {
    if (whole.byteLength < count * size) throw new RequestError('failed')
  }
  if (isFloat(instance)) {
    const isDouble = instance['7FE00009'] !== undefined
    need(isDouble ? 8 : 4)
    return { values: isDouble ? new Float64Array(whole.buffer, 0, count) : new Float32Array(whole.buffer, 0, count) }
  }
  const { allocated, stored, high } = bitsOf(instance)
  need(allocated / 8)
  const Words = allocated <= 8 ? Uint8Array : allocated <= 16 ? Uint16Array : Uint32Array
  const words = new Words(whole.buffer, 0, count)
  const isSigned = numberOf(instance, '00280103') === 1
  const above = 31 - high
  const below = 32 - stored
  return {
    words,
    values: Int32Array.from(words, (word) => (isSigned ? (word << above) >> below : (word << above) >>> below)),
  }
}

type Pixels = {
  width: number
  height: number
  values: Uint8Array | Float32Array
  isColour: boolean
  low: number
  high: number
  isInverted?: boolean
}

function makeImage(imageId: string, pixels: Pixels): Types.IImage {
  const { width, height, values, isColour, low, high, isInverted = false } = pixels
  return {
    imageId,
    width,
    height,
    columns: width,
    rows: height,
    color: isColour,
    rgba: false,
    numberOfComponents: isColour ? 3 : 1,
    invert: isInverted,
    slope: 1,
    intercept: 0,
    minPixelValue: low,
    maxPixelValue: high,
    windowCenter: isColour ? 128 : (low + high) / 2,
    windowWidth: isColour ? 256 : high - low || 1,
    voiLUTFunction: 'LINEAR',
    columnPixelSpacing: 1,
    rowPixelSpacing: 1,
    sizeInBytes: values.byteLength,
    dataType: isColour ? 'Uint8Array' : 'Float32Array',
    photometricInterpretation: isColour ? 'RGB' : isInverted ? 'MONOCHROME1' : 'MONOCHROME2',
    imageFrame: {},
    getPixelData: () => values,
  } as unknown as Types.IImage // the library fills in what depends on its own objects (voxelManager, getCanvas)
}
