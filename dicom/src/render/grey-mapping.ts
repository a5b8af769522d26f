import type { Attributes } from './attributes.ts'
import type { DecodedFrame } from './decode.ts'
import { functionalGroup } from './frame-attributes.ts'
import { lookUp, readLut } from './lookup-table.ts'
import { cutBits, type StoredValues } from './samples.ts'

type WindowShape = 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID'

/**
 * How grey values become brightness. `stored`: as the object says (its window or VOI LUT; `index` picks a preset),
 * and by the pixels where it says nothing. `window`: as asked, in modality units. `range`: by the pixels alone.
 */
export type VoiChoice =
  | { readonly kind: 'stored'; readonly index?: number }
  | { readonly kind: 'window'; readonly center: number; readonly width: number; readonly shape?: WindowShape }
  | { readonly kind: 'range' }

export interface GreyMapping {
  /** Modality units (Hounsfield …) of a stored value. */
  readonly toModality: (stored: number) => number
  /** Brightness 0…1 of a value in modality units, before the inversion of MONOCHROME1; not clamped. */
  readonly toBrightness: (value: number) => number
  /** Whether a stored value stands for no measurement. */
  readonly isPadding: (stored: number) => boolean
}

/** A preset as the object names it, e.g. `LUNG`. */
interface WindowPreset {
  readonly center: number
  readonly width: number
  readonly shape: WindowShape
  readonly explanation: string
}

const pixelValueTransformation = 0x00289145
const frameVoiLut = 0x00289132

/** @param frameIndex from 0; picks the frame's own functional group */
export function greyMapping(
  attributes: Attributes,
  frameIndex: number,
  values: StoredValues,
  frame: DecodedFrame,
  voi: VoiChoice,
): GreyMapping {
  const { isSigned } = frame
  const isFloat = frame.kind !== 'integer'
  const isPadding = paddingTest(attributes, frame)
  const base = { toModality: modalityTransform(attributes, frameIndex, isSigned), isPadding }
  if (voi.kind === 'window') return { ...base, toBrightness: windowFunction({ shape: 'LINEAR', ...voi }, isFloat) }
  const range = valueRange(attributes, values, base)
  const byRange = { ...base, toBrightness: rangeFunction(range) }
  if (voi.kind === 'range') return byRange
  const preset = windowPresets(attributes, frameIndex)[voi.index ?? 0]
  if (preset) {
    // A window that leaves every pixel black or white was meant for other values.
    const isUseful = preset.center + preset.width / 2 > range.low && preset.center - preset.width / 2 < range.high
    return isUseful || range.low === range.high ? { ...base, toBrightness: windowFunction(preset, isFloat) } : byRange
  }
  const table = readLut(
    functionalGroup(attributes, frameIndex, frameVoiLut).items(0x00283010)[voi.index ?? 0],
    isSigned,
  )
  if (!table) return byRange
  const highest = 2 ** table.bits - 1
  return { ...base, toBrightness: (value) => lookUp(table, value) / highest }
}

/** The windows of an object, in its order. Source: PS3.3 C.11.2. */
function windowPresets(attributes: Attributes, frame: number): WindowPreset[] {
  const group = functionalGroup(attributes, frame, frameVoiLut)
  const widths = group.decimals(0x00281051)
  const explanations = group.text(0x00281055)?.split('\\') ?? []
  const named = group.text(0x00281056)
  const shape = named === 'SIGMOID' || named === 'LINEAR_EXACT' ? named : 'LINEAR'
  return group.decimals(0x00281050).flatMap((center, index) => {
    const width = widths[index] ?? Number.NaN
    if (!Number.isFinite(center) || !(width > 0)) return []
    return [{ center, width, shape, explanation: explanations[index] ?? '' }]
  })
}

function modalityTransform(attributes: Attributes, frame: number, isSigned: boolean): (stored: number) => number {
  // In angiography the table leads back to X-ray intensity, for subtraction; windows are in stored values
  // (PS3.3 C.8.7.1.1.2).
  const isAngiography = /^(XA|XRF)$/.test(attributes.text(0x00080060) ?? '')
  const isForSubtraction = isAngiography && /^(LOG|DISP)$/.test(attributes.text(0x00281040) ?? '')
  const table = isForSubtraction ? undefined : readLut(attributes.items(0x00283000)[0], isSigned)
  if (table) return (stored) => lookUp(table, stored)
  const group = functionalGroup(attributes, frame, pixelValueTransformation)
  const slope = group.decimal(0x00281053) || 1
  const intercept = group.decimal(0x00281052) ?? 0
  return (stored) => stored * slope + intercept
}

/**
 * PS3.3 C.11.2.1.2 and C.11.2.1.3. LINEAR is made for whole numbers: it takes one off the width, and is not defined
 * below it. For floating point values, and for such widths, LINEAR_EXACT is meant.
 */
function windowFunction(
  { center, width, shape: named }: { center: number; width: number; shape: WindowShape },
  isFloat: boolean,
): (value: number) => number {
  const shape = named === 'LINEAR' && (isFloat || width < 1) ? 'LINEAR_EXACT' : named
  if (shape === 'SIGMOID') return (value) => 1 / (1 + Math.exp((-4 * (value - center)) / width))
  if (shape === 'LINEAR_EXACT') return (value) => (value - center) / width + 0.5
  const span = width - 1
  if (span <= 0) return (value) => (value > center - 0.5 ? 1 : 0)
  return (value) => (value - (center - 0.5)) / span + 0.5
}

interface ValueRange {
  readonly low: number
  readonly high: number
}

function rangeFunction({ low, high }: ValueRange): (value: number) => number {
  const span = high - low
  // One value everywhere: mid grey would look like content, so it stays dark unless it is the value of a mask.
  if (span <= 0) return (value) => (value > 0 ? 0.5 : 0)
  return (value) => (value - low) / span
}

/**
 * Pixel Padding Value, alone or as one end of a range, for whole numbers and floating point values.
 * Source: PS3.3 C.7.5.1.1.2, C.7.6.26.
 */
function paddingTest(attributes: Attributes, frame: DecodedFrame): (stored: number) => boolean {
  const ends = {
    integer: [0x00280120, 0x00280121].map((tag) => wholePadding(attributes.short(tag, frame.isSigned), frame)),
    float: [0x00280122, 0x00280124].map((tag) => attributes.float(tag, 4)),
    double: [0x00280123, 0x00280125].map((tag) => attributes.float(tag, 8)),
  }[frame.kind]
  const [value, limit = value] = ends
  if (value === undefined || limit === undefined) return () => false
  const [low, high] = [Math.min(value, limit), Math.max(value, limit)]
  return (stored) => stored >= low && stored <= high
}

/** Writers give the whole word where the value has fewer bits: the bits above it count neither here nor there. */
function wholePadding(padding: number | undefined, frame: DecodedFrame): number | undefined {
  if (padding === undefined || frame.bitsStored >= 16) return padding
  const lowest = frame.isSigned ? -(2 ** (frame.bitsStored - 1)) : 0
  const isWithin = padding >= lowest && padding < lowest + 2 ** frame.bitsStored
  return isWithin ? padding : cutBits(Int32Array.of(padding), frame)[0]
}

const airHounsfield = -1024

/** Enough to find quantiles; a whole film holds 13 million. */
const maxSampled = 50_000

/**
 * The range most pixels lie in: padding is left out, and so are the few extreme pixels (markers, dead detectors)
 * that would flatten everything else. Many-valued extremes stay.
 */
function valueRange(
  attributes: Attributes,
  values: StoredValues,
  { toModality, isPadding }: Pick<GreyMapping, 'toModality' | 'isPadding'>,
): ValueRange {
  const step = Math.max(1, Math.floor(values.length / maxSampled))
  const sampled: number[] = []
  for (let index = 0; index < values.length; index += step) {
    const value = values[index] ?? 0
    if (!Number.isFinite(value) || isPadding(value)) continue
    sampled.push(value)
  }
  const sorted = Float64Array.from(sampled).sort()
  if (sorted.length === 0) return { low: 0, high: 0 }
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  let low = at(0.001)
  let high = at(0.999)
  if (low === high) {
    low = at(0)
    high = at(1)
  }
  const ends = [toModality(low), toModality(high)]
  const range = { low: Math.min(...ends), high: Math.max(...ends) }
  // Outside the scanner's circle CT stores values below air, which lossy coding blurs past PixelPaddingValue.
  const isCutCt = attributes.text(0x00080060) === 'CT' && range.low < airHounsfield && range.high > airHounsfield
  return isCutCt ? { ...range, low: airHounsfield } : range
}
