import type { Attributes } from './attributes.ts'
import { colourToRgb, paletteToRgb } from './colour.ts'
import type { DecodedFrame } from './decode.ts'
import { type GreyMapping, greyMapping, type VoiChoice } from './grey-mapping.ts'
import { readPalette } from './lookup-table.ts'
import { drawOverlays } from './overlays.ts'
import { type StoredValues, storedValues } from './samples.ts'

/** Pixels for a screen: one channel of grey or three of RGB, 8 bits each. */
export interface ScreenPixels {
  readonly width: number
  readonly height: number
  readonly channels: 1 | 3
  readonly data: Uint8Array
}

export interface DeepGreyPixels {
  readonly width: number
  readonly height: number
  readonly data: Uint16Array
}

export interface ToScreenOptions {
  readonly voi?: VoiChoice
  readonly withOverlays?: boolean
}

/**
 * Applies the whole grey pipeline (modality, VOI, MONOCHROME1) or the colour space of a decoded frame.
 * @param frameIndex from 0; picks the frame's own functional group
 * @throws RenderError
 */
export function toScreen(
  frame: DecodedFrame,
  attributes: Attributes,
  frameIndex: number,
  options: ToScreenOptions = {},
): ScreenPixels {
  const values = storedValues(frame)
  const size = { width: frame.columns, height: frame.rows }
  let screen: ScreenPixels
  if (frame.samplesPerPixel >= 3) screen = { ...size, channels: 3, data: colourToRgb(frame, values) }
  else if (frame.photometric === 'PALETTE COLOR') {
    screen = { ...size, channels: 3, data: paletteToRgb(values, readPalette(attributes, frame.isSigned)) }
  } else {
    const mapping = greyMapping(attributes, frameIndex, values, frame, options.voi ?? { kind: 'stored' })
    const data = new Uint8Array(values.length)
    mapGrey(values, frame, mapping, 255, data)
    screen = { ...size, channels: 1, data }
  }
  if (options.withOverlays) drawOverlays(screen.data, screen.channels, frame, attributes, frameIndex)
  return screen
}

/**
 * Grey of 16 bits for further work: by default the frame's whole range of values is spread over 0…65535, so that
 * nothing but padding is clipped. Undefined for colour, which has no more than 8 bits to show.
 */
export function toDeepGrey(
  frame: DecodedFrame,
  attributes: Attributes,
  frameIndex: number,
  voi?: VoiChoice,
): DeepGreyPixels | undefined {
  if (frame.samplesPerPixel >= 3 || frame.photometric === 'PALETTE COLOR') return undefined
  const values = storedValues(frame)
  const mapping = voi
    ? greyMapping(attributes, frameIndex, values, frame, voi)
    : fullRange(greyMapping(attributes, frameIndex, values, frame, { kind: 'range' }), values)
  const data = new Uint16Array(values.length)
  mapGrey(values, frame, mapping, 65535, data)
  return { width: frame.columns, height: frame.rows, data }
}

function fullRange(mapping: GreyMapping, values: StoredValues): GreyMapping {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (let index = 0; index < values.length; index++) {
    const stored = values[index] ?? 0
    if (mapping.isPadding(stored)) continue
    const value = mapping.toModality(stored)
    if (value < low) low = value
    if (value > high) high = value
  }
  // nothing but padding
  if (low > high) return { ...mapping, toBrightness: () => 0 }
  const span = high - low || 1
  return { ...mapping, toBrightness: (value) => (value - low) / span }
}

function mapGrey(
  values: StoredValues,
  frame: DecodedFrame,
  mapping: GreyMapping,
  highest: number,
  out: Uint8Array | Uint16Array,
): void {
  const isInverted = frame.photometric === 'MONOCHROME1'
  const brightness = (stored: number) => {
    const bright = mapping.toBrightness(mapping.toModality(stored))
    const clamped = bright > 0 ? Math.min(1, bright) : 0
    return Math.round((isInverted ? 1 - clamped : clamped) * highest)
  }
  const isFewValued = frame.kind === 'integer' && frame.bitsAllocated <= 16
  if (!isFewValued || values.length < 65536) {
    for (let index = 0; index < values.length; index++) out[index] = brightness(values[index] ?? 0)
    return
  }
  // At most 65,536 different values: each is worked out once.
  const lowest = frame.isSigned ? -(2 ** (frame.bitsStored - 1)) : 0
  const table = new Uint16Array(2 ** frame.bitsStored)
  for (let index = 0; index < table.length; index++) table[index] = brightness(lowest + index)
  for (let index = 0; index < values.length; index++) out[index] = table[(values[index] ?? 0) - lowest] ?? 0
}
