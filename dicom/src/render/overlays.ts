import type { Attributes } from './attributes.ts'
import type { DecodedFrame } from './decode.ts'

/**
 * Burns the graphic overlays of a frame (groups 60xx) into 8-bit pixels as white.
 * Overlays kept in unused bits of the pixels are drawn too, where the frame still has those bits.
 * @param channels 1 or 3, of `pixels`
 */
export function drawOverlays(
  pixels: Uint8Array,
  channels: number,
  frame: DecodedFrame,
  attributes: Attributes,
  frameIndex: number,
): void {
  for (let group = 0x6000; group <= 0x601e; group += 2) {
    const tag = (element: number) => group * 0x10000 + element
    const rows = attributes.short(tag(0x0010)) ?? 0
    const columns = attributes.short(tag(0x0011)) ?? 0
    if (rows === 0 || columns === 0) continue
    const [top = 1, left = 1] = attributes.shorts(tag(0x0050), true)
    const data = attributes.bytes(tag(0x3000))
    const isSet = data
      ? storedBits(data, attributes, tag, rows * columns, frameIndex)
      : embeddedBits(frame, attributes.short(tag(0x0102)) ?? 0, columns)
    if (!isSet) continue
    for (let row = Math.max(0, 1 - top); row < rows && row + top - 1 < frame.rows; row++) {
      for (let column = Math.max(0, 1 - left); column < columns && column + left - 1 < frame.columns; column++) {
        if (!isSet(row * columns + column)) continue
        const at = ((row + top - 1) * frame.columns + column + left - 1) * channels
        pixels.fill(255, at, at + channels)
      }
    }
  }
}

function storedBits(
  data: Uint8Array,
  attributes: Attributes,
  tag: (element: number) => number,
  bitsPerFrame: number,
  frameIndex: number,
): ((bit: number) => boolean) | undefined {
  const frames = attributes.decimal(tag(0x0015)) ?? 1
  const firstFrame = (attributes.short(tag(0x0051)) ?? 1) - 1
  const overlayFrame = frames > 1 ? frameIndex - firstFrame : 0
  if (overlayFrame < 0 || overlayFrame >= frames) return undefined
  const start = overlayFrame * bitsPerFrame
  // In big endian the bits lie in swapped words.
  const swap = attributes.isBigEndian ? 1 : 0
  return (bit) => (((data[((start + bit) >>> 3) ^ swap] ?? 0) >>> ((start + bit) & 7)) & 1) === 1
}

function embeddedBits(frame: DecodedFrame, position: number, columns: number): ((bit: number) => boolean) | undefined {
  const isOutsideValue = position > frame.highBit || position <= frame.highBit - frame.bitsStored
  if (frame.bitsAllocated !== 16 || columns !== frame.columns || position > 15 || !isOutsideValue) return undefined
  return (pixel) => (((frame.data[pixel * 2 + (position >> 3)] ?? 0) >>> (position & 7)) & 1) === 1
}
