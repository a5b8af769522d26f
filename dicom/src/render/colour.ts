import type { DecodedFrame } from './decode.ts'
import { lookUp, type Palette } from './lookup-table.ts'
import { RenderError } from './render-error.ts'
import type { StoredValues } from './samples.ts'

/** Three samples a pixel of any photometric interpretation as 8-bit RGB. */
export function colourToRgb(frame: DecodedFrame, values: StoredValues): Uint8Array {
  const { photometric } = frame
  if (/^(HSV|CMYK)$/.test(photometric)) {
    throw new RenderError('unsupported', `Images in the colour space ${photometric} cannot be drawn.`)
  }
  const rgb = frame.isSubsampled ? spreadChroma(frame, values) : gatherSamples(frame, values)
  if (photometric.startsWith('YBR_PARTIAL')) ybrToRgb(rgb, true)
  else if (photometric.startsWith('YBR_FULL')) ybrToRgb(rgb, false)
  return rgb
}

export function paletteToRgb(values: StoredValues, palette: Palette): Uint8Array {
  const channels = [palette.red, palette.green, palette.blue]
  const rgb = new Uint8Array(values.length * 3)
  // 16-bit tables whose entries never leave 8 bits exist; they are meant as 8-bit ones.
  const isEightBit = channels.every(({ bits, entries }) => bits <= 8 || isWithin(entries, 255))
  const shift = isEightBit ? 0 : 8
  for (let channel = 0; channel < 3; channel++) {
    const table = channels[channel] as Palette['red']
    for (let index = 0; index < values.length; index++) {
      rgb[index * 3 + channel] = lookUp(table, values[index] ?? 0) >>> shift
    }
  }
  return rgb
}

function isWithin(entries: ArrayLike<number>, highest: number): boolean {
  for (let index = 0; index < entries.length; index++) if ((entries[index] ?? 0) > highest) return false
  return true
}

function gatherSamples(frame: DecodedFrame, values: StoredValues): Uint8Array {
  const pixels = frame.rows * frame.columns
  const samples = frame.samplesPerPixel
  // ARGB keeps its alpha first; any other fourth sample comes last.
  const skipped = samples === 4 && frame.photometric === 'ARGB' ? 1 : 0
  const down = 2 ** Math.max(0, frame.bitsStored - 8)
  const up = frame.bitsStored < 8 ? 255 / (2 ** frame.bitsStored - 1) : 1
  const rgb = new Uint8Array(pixels * 3)
  for (let channel = 0; channel < 3; channel++) {
    const first = frame.isPlanar ? (channel + skipped) * pixels : channel + skipped
    const step = frame.isPlanar ? 1 : samples
    for (let pixel = 0; pixel < pixels; pixel++) {
      rgb[pixel * 3 + channel] = ((values[first + pixel * step] ?? 0) * up) / down
    }
  }
  return rgb
}

/** Y1 Y2 Cb Cr for each pair of pixels (PS3.3 C.7.6.3.1.2). */
function spreadChroma(frame: DecodedFrame, values: StoredValues): Uint8Array {
  const pixels = frame.rows * frame.columns
  const ybr = new Uint8Array(pixels * 3)
  for (let pixel = 0; pixel < pixels; pixel++) {
    const pair = (pixel >> 1) * 4
    ybr[pixel * 3] = values[pair + (pixel & 1)] ?? 0
    ybr[pixel * 3 + 1] = values[pair + 2] ?? 128
    ybr[pixel * 3 + 2] = values[pair + 3] ?? 128
  }
  return ybr
}

function ybrToRgb(pixels: Uint8Array, isPartial: boolean): void {
  const clamped = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length)
  const scaleY = isPartial ? 255 / 219 : 1
  const scaleC = isPartial ? 255 / 224 : 1
  for (let at = 0; at < clamped.length; at += 3) {
    const y = ((clamped[at] ?? 0) - (isPartial ? 16 : 0)) * scaleY
    const cb = ((clamped[at + 1] ?? 0) - 128) * scaleC
    const cr = ((clamped[at + 2] ?? 0) - 128) * scaleC
    clamped[at] = y + 1.402 * cr
    clamped[at + 1] = y - 0.344136 * cb - 0.714136 * cr
    clamped[at + 2] = y + 1.772 * cb
  }
}
