import { readBulkData, bulkDataOf } from './bulk-data.ts'
import { type DicomObject, itemsOf, jsonTextOf, numberOf, numbersOf } from './dicom-json.ts'
import type { StudySource } from './dicomweb.ts'
import { type PresentationState, rescaleOf, voiOf } from './presentation-state.ts'
import type { ViewerImage } from './series-images.ts'

/** Brightness, 0 to 1, of rising values in the units of the library; straight lines between them, and beyond them the ends hold. */
export type GreyCurve = readonly { value: number; level: number }[]

type LookupTable = { first: number; entries: ArrayLike<number>; highest: number }

const MODALITY_LUT = '00283000'
const VOI_LUT = '00283010'
const PRESENTATION_LUT = '20500010'
/** The graphics processor knows 1,024 places of a curve: so many whole values have a step each, more are lines. */
const STEPS = 512
/** Half the width of a step; what is left between two steps rises or falls. */
const HALF_STEP = 0.45
/** Steps by which the part of a table is found in which anything changes. */
const COARSE = 4096

/**
 * How tables of an image, or of a presentation state that speaks of the image, make values bright: modality, then values of
 * interest, then presentation. Source: PS3.4 N.2, PS3.3 C.11.1, C.11.2, C.11.6.
 * @param state one that speaks of the image
 * @returns undefined where no table speaks: a window says everything then
 * @throws where a table cannot be read
 */
export async function readGreyCurve(
  image: ViewerImage,
  state: PresentationState | undefined,
  source: StudySource,
): Promise<GreyCurve | undefined> {
  const { instance } = image
  const voi = (state && voiOf(state, image)) ?? instance
  const ofModality = itemsOf(state?.instance, MODALITY_LUT)[0] ?? ownModalityTable(instance, state)
  const hasWindow = windowOf(voi) !== undefined
  // a window and a table beside each other are two choices; an image is drawn by its window, a state has one of them
  const ofInterest = hasWindow ? undefined : itemsOf(voi, VOI_LUT)[0]
  const ofPresentation = itemsOf(state?.instance, PRESENTATION_LUT)[0]
  if (!ofModality && !ofInterest && !ofPresentation) return undefined
  const isSigned = numberOf(instance, '00280103') === 1
  const [modality, interest, presentation] = await Promise.all(
    [ofModality, ofInterest, ofPresentation].map((item) => item && readTable(item, isSigned, source)),
  )
  const scale = state?.instance['00281053'] ? state.instance : instance
  const own = rescaleOf(instance)
  const toModality = modality
    ? (stored: number) => lookUp(modality, stored)
    : (stored: number) => stored * rescaleOf(scale).slope + rescaleOf(scale).intercept
  const inOwn = (stored: number) => stored * own.slope + own.intercept
  const domain = modality ? endsOf(modality) : storedEndsOf(interest, voi, rescaleOf(scale))
  if (!domain) return undefined
  const window = windowOf(voi) ?? rangeOfTable(modality)
  const toInterest = interest
    ? (value: number) => lookUp(interest, value) / interest.highest
    : (value: number) => share(value, window)
  const brightness = (stored: number) => {
    const level = toInterest(toModality(stored))
    if (!presentation) return level
    const at = presentation.first + level * (presentation.entries.length - 1)
    return lookUp(presentation, at) / presentation.highest
  }
  const [first, last] = changingPart(domain, brightness)
  const points = placesBetween(first, last).map(([place, stored]) => ({
    value: inOwn(place),
    level: brightness(stored),
  }))
  return own.slope > 0 ? points : points.toReversed()
}

/** Places of a curve, each with the stored value that its brightness comes of. */
function placesBetween(first: number, last: number): [place: number, stored: number][] {
  const count = last - first + 1
  if (count > STEPS)
    return Array.from({ length: STEPS }, (_, at) => {
      const stored = first + ((last - first) * at) / (STEPS - 1)
      return [stored, stored]
    })
  return Array.from({ length: count }, (_, at) => first + at).flatMap((stored) => [
    [stored - HALF_STEP, stored],
    [stored + HALF_STEP, stored],
  ])
}

/** In angiography the image's table leads back to X-ray intensity, for subtraction. Source: PS3.3 C.8.7.1.1.2. */
function ownModalityTable(instance: DicomObject, state: PresentationState | undefined): DicomObject | undefined {
  if (state?.instance['00281053']) return undefined
  const isForSubtraction =
    /^(XA|XRF)$/.test(jsonTextOf(instance, '00080060')) && /^(LOG|DISP)$/.test(jsonTextOf(instance, '00281040'))
  return isForSubtraction ? undefined : itemsOf(instance, MODALITY_LUT)[0]
}

/** A lookup table with its descriptor. Source: PS3.3 C.11.1.1. */
async function readTable(item: DicomObject, isSigned: boolean, source: StudySource): Promise<LookupTable> {
  const [count, start, bits] = numbersOf(item, '00283002')
  if (count === undefined || start === undefined || bits === undefined)
    throw new Error('a table without its descriptor')
  const first = isSigned && start > 0x7fff ? start - 0x10000 : start
  const length = count === 0 ? 0x10000 : count
  const entries = await readEntries(item, length, source)
  if (entries.length === 0) throw new Error('a table without entries')
  return { first, entries, highest: 2 ** Math.min(16, Math.max(1, bits)) - 1 }
}

async function readEntries(item: DicomObject, length: number, source: StudySource): Promise<ArrayLike<number>> {
  const written = numbersOf(item, '00283006')
  if (written.length > 0) return written.slice(0, length)
  const data = bulkDataOf(item['00283006'])
  if (!data) return []
  const bytes = await readBulkData(data, source)
  // entries of 8 bits lie one in a byte, though some writers give each a word
  if (bytes.length < length * 2) return bytes.subarray(0, length)
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint16Array.from({ length }, (_, at) => words.getUint16(at * 2, true))
}

function lookUp({ first, entries }: LookupTable, value: number): number {
  const at = Math.min(entries.length - 1, Math.max(0, Math.round(value) - first))
  return entries[at] ?? 0
}

function endsOf({ first, entries }: LookupTable): readonly [number, number] {
  return [first, first + entries.length - 1]
}

/** Stored values between which a table of values of interest, or a window, changes anything. */
function storedEndsOf(
  interest: LookupTable | undefined,
  voi: DicomObject,
  { slope, intercept }: { slope: number; intercept: number },
): readonly [number, number] | undefined {
  const ends = interest ? endsOf(interest) : windowOf(voi)
  return ends && [(ends[0] - intercept) / slope, (ends[1] - intercept) / slope]
}

/** The darkest and the brightest value of a window, in modality units. Source: PS3.3 C.11.2.1.2. */
function windowOf(object: DicomObject): readonly [number, number] | undefined {
  const [center, width] = [numberOf(object, '00281050'), numberOf(object, '00281051')]
  return center === undefined || width === undefined || width < 1
    ? undefined
    : [center - width / 2, center + width / 2 - 1]
}

/** Without a window all values of a modality table are shown. */
function rangeOfTable(table: LookupTable | undefined): readonly [number, number] | undefined {
  if (!table) return undefined
  const values = Array.from(table.entries)
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity])
}

function share(value: number, range: readonly [number, number] | undefined): number {
  if (!range || range[1] <= range[0]) return value > (range?.[0] ?? 0) ? 1 : 0
  return Math.min(1, Math.max(0, (value - range[0]) / (range[1] - range[0])))
}

/** The whole values of a domain outside of which brightness is that of its ends: a narrow window on a long table keeps its steps. */
function changingPart(
  [one, other]: readonly [number, number],
  brightness: (stored: number) => number,
): readonly [number, number] {
  const [first, last] = [Math.floor(Math.min(one, other)), Math.ceil(Math.max(one, other))]
  const at = (step: number) => first + ((last - first) * step) / COARSE
  let [from, until] = [0, COARSE]
  while (from < until && brightness(at(from + 1)) === brightness(first)) from++
  while (until > from && brightness(at(until - 1)) === brightness(last)) until--
  return until > from ? [Math.floor(at(from)), Math.ceil(at(until))] : [first, last]
}
