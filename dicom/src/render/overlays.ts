import type { Attributes } from './attributes.ts'
import type { DecodedFrame } from './decode.ts'

/** An overlay plane as an object declares it. Source: PS3.3 C.9.2. */
interface Overlay {
  /** The even group, 6000 to 601E. */
  readonly group: number
  readonly rows: number
  readonly columns: number
  /** Row and column of the image, from 1, that its first pixel lies on. */
  readonly origin: readonly [row: number, column: number]
  /** `R` marks a region of interest, `G` are graphics. */
  readonly kind: 'G' | 'R'
  /** Bits of its own; undefined where they lie in unused bits of the pixels. */
  readonly data: Uint8Array | undefined
  /** The bit of a pixel that holds it, where it has no bits of its own. */
  readonly bitPosition: number
}

/** The overlays of an object that hold something. */
export function findOverlays(attributes: Attributes): Overlay[] {
  const found: Overlay[] = []
  for (let group = 0x6000; group <= 0x601e; group += 2) {
    const tag = (element: number) => group * 0x10000 + element
    const data = attributes.bytes(tag(0x3000))
    const bitPosition = attributes.short(tag(0x0102))
    if (!data && !bitPosition) continue
    // old overlays inside the pixels leave out the bits that belong to the image
    const rows = attributes.short(tag(0x0010)) ?? (data ? 0 : (attributes.short(0x00280010) ?? 0))
    const columns = attributes.short(tag(0x0011)) ?? (data ? 0 : (attributes.short(0x00280011) ?? 0))
    if (rows === 0 || columns === 0) continue
    const [row = 1, column = 1] = attributes.shorts(tag(0x0050), true)
    const kind = attributes.text(tag(0x0040)) === 'R' ? 'R' : 'G'
    found.push({ group, rows, columns, origin: [row, column], kind, data, bitPosition: bitPosition ?? 0 })
  }
  return found
}

/**
 * Burns the overlays of a frame (groups 60xx, and unused bits of the pixels) into 8-bit pixels as white. Of a region of
 * interest only the outline is drawn: it shall not hide what it marks.
 * @param channels 1 or 3, of `pixels`
 */
export function drawOverlays(
  pixels: Uint8Array,
  channels: number,
  frame: DecodedFrame,
  attributes: Attributes,
  frameIndex: number,
): void {
  for (const overlay of findOverlays(attributes)) {
    const bits = overlay.data ? ownBits(overlay, overlay.data, attributes, frameIndex) : embeddedBits(overlay, frame)
    if (!bits) continue
    const { rows, columns, origin } = overlay
    const isSet = (row: number, column: number) =>
      row >= 0 && column >= 0 && row < rows && column < columns && bits(row * columns + column)
    const isDrawn = overlay.kind === 'R' ? outlineOf(isSet) : isSet
    const [top, left] = [origin[0] - 1, origin[1] - 1]
    for (let row = Math.max(0, -top); row < rows && row + top < frame.rows; row++) {
      for (let column = Math.max(0, -left); column < columns && column + left < frame.columns; column++) {
        if (!isDrawn(row, column)) continue
        const at = ((row + top) * frame.columns + column + left) * channels
        pixels.fill(255, at, at + channels)
      }
    }
  }
}

type IsSet = (row: number, column: number) => boolean

function outlineOf(isSet: IsSet): IsSet {
  return (row, column) =>
    isSet(row, column) &&
    !(isSet(row - 1, column) && isSet(row + 1, column) && isSet(row, column - 1) && isSet(row, column + 1))
}

/** Of an overlay of several frames, those of this one. Without a number of frames it lies on each of the image. */
function ownBits(
  { group, rows, columns }: Overlay,
  data: Uint8Array,
  attributes: Attributes,
  frameIndex: number,
): ((bit: number) => boolean) | undefined {
  const tag = (element: number) => group * 0x10000 + element
  const frames = attributes.decimal(tag(0x0015))
  const firstFrame = (attributes.short(tag(0x0051)) ?? 1) - 1
  const overlayFrame = frames === undefined ? 0 : frameIndex - firstFrame
  if (overlayFrame < 0 || overlayFrame >= (frames ?? 1)) return undefined
  const start = overlayFrame * rows * columns
  // In big endian the bits lie in swapped words; bytes (OB) do not.
  const swap = attributes.isBigEndian && attributes.vr(tag(0x3000)) !== 'OB' ? 1 : 0
  return (bit) => (((data[((start + bit) >>> 3) ^ swap] ?? 0) >>> ((start + bit) & 7)) & 1) === 1
}

/** Bits of the pixels that belong to no value, where the frame still has them. */
function embeddedBits({ columns, bitPosition }: Overlay, frame: DecodedFrame): ((bit: number) => boolean) | undefined {
  const isOutsideValue = bitPosition > frame.highBit || bitPosition <= frame.highBit - frame.bitsStored
  const isWithin = frame.bitsAllocated >= 8 && bitPosition < frame.bitsAllocated
  if (!isWithin || !isOutsideValue || columns !== frame.columns || frame.samplesPerPixel > 1) return undefined
  const bytesPerPixel = frame.bitsAllocated / 8
  const first = frame.bitOffset / 8 + (bitPosition >> 3)
  return (pixel) => (((frame.data[first + pixel * bytesPerPixel] ?? 0) >>> (bitPosition & 7)) & 1) === 1
}
