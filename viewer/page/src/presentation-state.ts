import { presentDate } from './banner-texts.ts'
import { type DicomObject, itemsOf, numberOf, numbersOf, jsonTextOf } from './dicom-json.ts'
import { type Area, type Graphic, readGraphics } from './graphics.ts'
import { type References, referencedSeries, referencesOf, refersTo } from './references.ts'
import { readShutter, type Shutter } from './shutter.ts'

/** A softcopy presentation state: how somebody left images to be looked at. Source: PS3.3 A.33. */
export type PresentationState = {
  label: string
  references: References
  seriesUids: string[]
  instance: DicomObject
}

/** The part of a presentation state that is about one image. */
export type Presentation = {
  /** In the units that the image itself has; undefined where the image's own window stays. */
  window: { lower: number; upper: number } | undefined
  /** Undefined where the image's own sense stays. */
  isInverted: boolean | undefined
  /** Clockwise, before the flip. */
  rotation: number
  isFlipped: boolean
  /** The part of the image to fit the screen, in pixels from its corner. */
  area: Area | undefined
  shutter: Shutter | undefined
  graphics: Graphic[]
  /** Values go through tables: `grey-curve.ts` draws them, and no window is needed. */
  hasTables: boolean
}

/** States of grey images and of colour ones. */
const STATES = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.11\.[123]$/
const MEANINGLESS_LABEL = /^(unnamed)?$/i

export function readPresentationStates(instances: readonly DicomObject[]): PresentationState[] {
  return instances
    .filter((instance) => STATES.test(jsonTextOf(instance, '00080016')))
    .map((instance) => ({
      label: labelOf(instance),
      references: referencesOf(itemsOf(instance, '00081115').flatMap((series) => itemsOf(series, '00081140'))),
      seriesUids: referencedSeries(instance),
      instance,
    }))
}

function labelOf(instance: DicomObject): string {
  const given = ['00700081', '00700080', '0008103E'].map((tag) => jsonTextOf(instance, tag))
  const name = given.find((text) => !MEANINGLESS_LABEL.test(text)) ?? 'Presentation'
  return [name, presentDate(jsonTextOf(instance, '00700082'))].filter((text) => text !== '').join(', ')
}

type NamedImage = { sopUid: string; frame: number }

/** @returns undefined where the state does not speak of the image */
export function presentationOf(
  state: PresentationState,
  image: NamedImage & { instance: DicomObject },
): Presentation | undefined {
  if (!speaksOf(state, image)) return undefined
  const { instance } = state
  const ofImage = (tag: string) => itemsOn(instance, tag, image)
  const [voi] = ofImage('00283110')
  const area = readArea(ofImage('0070005A')[0])
  const shape = jsonTextOf(instance, '20500020')
  // its table makes brightness of every kind of image (PS3.3 C.11.6)
  const hasPresentationTable = itemsOf(instance, '20500010').length > 0
  const hasTables =
    itemsOf(instance, '00283000').length > 0 || itemsOf(voi, '00283010').length > 0 || hasPresentationTable
  return {
    window: hasTables ? undefined : readWindow(voi, instance, image.instance),
    isInverted: shape === 'INVERSE' ? true : shape === 'IDENTITY' || hasPresentationTable ? false : undefined,
    rotation: [90, 180, 270].find((angle) => angle === numberOf(instance, '00700042')) ?? 0,
    isFlipped: jsonTextOf(instance, '00700041') === 'Y',
    area,
    shutter: readShutter(instance),
    graphics: ofImage('00700001').flatMap((item) => readGraphics(item, area)),
    hasTables,
  }
}

/** The window or table that a state gives the values of interest of an image; undefined where the image's own window or table stays. */
export function voiOf({ instance }: PresentationState, image: NamedImage): DicomObject | undefined {
  return itemsOn(instance, '00283110', image)[0]
}

export function speaksOf({ references }: PresentationState, { sopUid, frame }: NamedImage): boolean {
  return refersTo(references, sopUid, frame)
}

/** The items of a sequence that are about an image: those that name it, and those that name none. */
function itemsOn(state: DicomObject, tag: string, image: NamedImage): DicomObject[] {
  return itemsOf(state, tag).filter((item) => {
    const named = itemsOf(item, '00081140')
    return named.length === 0 || refersTo(referencesOf(named), image.sopUid, image.frame)
  })
}

/** The state's own rescale takes the place of the image's, so that its window counts in other units. Source: PS3.3 C.11.1. */
function readWindow(voi: DicomObject | undefined, state: DicomObject, image: DicomObject): Presentation['window'] {
  const center = numberOf(voi ?? {}, '00281050')
  const width = numberOf(voi ?? {}, '00281051')
  if (center === undefined || width === undefined || width < 1) return undefined
  const own = rescaleOf(image)
  const its = state['00281053'] ? rescaleOf(state) : own
  const inOwn = (value: number) => ((value - its.intercept) / its.slope) * own.slope + own.intercept
  return { lower: inOwn(center - width / 2), upper: inOwn(center + width / 2 - 1) }
}

export function rescaleOf(object: DicomObject) {
  return { slope: numberOf(object, '00281053') || 1, intercept: numberOf(object, '00281052') ?? 0 }
}

/** Corners count pixels from 1. Source: PS3.3 C.10.4. */
function readArea(item: DicomObject | undefined): Area | undefined {
  const [left, top] = numbersOf(item ?? {}, '00700052')
  const [right, bottom] = numbersOf(item ?? {}, '00700053')
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return undefined
  return right >= left && bottom >= top ? { left: left - 1, top: top - 1, right, bottom } : undefined
}
