import { type DicomObject, numberOf, numbersOf, jsonTextOf } from './dicom-json.ts'
import type { Clip } from './clips.ts'
import { isDarkOnLight, isInColour } from './dark-on-light.ts'
import { isFloat, overlaysOf } from './hard-images.ts'
import { imagesInOrder } from './image-order.ts'
import { texts } from './texts.ts'
import { isWaveform } from './waveform.ts'
import { isReport, isVideo, reasonWithoutPicture } from './object-kind.ts'

const SOP_UID = '00080018'
const NUMBER_OF_FRAMES = '00280008'
const FRAME_TIME = '00181063'
const CINE_RATE = '00180040'
const RECOMMENDED_RATE = '00082144'
const WINDOW_CENTER = '00281050'
const WINDOW_WIDTH = '00281051'

export type ViewerImage = { instance: DicomObject; sopUid: string; frame: number; framesPerSecond: number }

export type ImageSeries = {
  kind: 'images'
  images: ViewerImage[]
  clips: Clip[]
  isColour: boolean
  /** Floating point values, of which no window takes one off. */
  isExact: boolean
  hasOverlays: boolean
  /** PET in grey values: drawn dark on light, and opened at its middle, since the first slices show next to nothing. */
  isPet: boolean
  windows: { center: number; width: number }[]
}

export type SeriesWithout = { kind: 'none'; reason: string; isReport: boolean }

/** A series as the quick viewer walks it: one image per frame, or the reason why there is none. */
export type SeriesImages =
  | ImageSeries
  | SeriesWithout
  | { kind: 'curves'; instances: DicomObject[] }
  | { kind: 'videos'; instances: DicomObject[] }

/** The same series with some of its images. */
export function withOnly(found: ImageSeries, isWanted: (image: ViewerImage) => boolean): ImageSeries {
  const images = found.images.filter(isWanted)
  return { ...found, images, clips: images.length === found.images.length ? found.clips : [] }
}

export function countOf(series: ImageSeries): string {
  return series.clips.length > 1 ? texts.clipCount(series.clips.length) : texts.imageCount(series.images.length)
}

const SLOWEST_FPS = 1
const FASTEST_FPS = 60
const STACK_FPS = 10
const CLIP_FPS = 20

export function readSeriesImages(instances: DicomObject[]): SeriesImages {
  const drawn = imagesInOrder(instances.filter((instance) => reasonWithoutPicture(instance) === undefined))
  const first = drawn[0]
  const curves = first ? [] : instances.filter(isWaveform)
  if (curves.length > 0) return { kind: 'curves', instances: curves }
  const videos = first ? [] : instances.filter(isVideo)
  if (videos.length > 0) return { kind: 'videos', instances: videos }
  if (first === undefined)
    return {
      kind: 'none',
      reason: (instances[0] && reasonWithoutPicture(instances[0])) ?? 'an empty series',
      isReport: instances.some(isReport),
    }
  const images = drawn.flatMap((instance) => {
    const rate = framesPerSecond(instance)
    return Array.from({ length: Math.max(1, numberOf(instance, NUMBER_OF_FRAMES) ?? 1) }, (_, at) => ({
      instance,
      sopUid: jsonTextOf(instance, SOP_UID),
      frame: at + 1,
      framesPerSecond: rate,
    }))
  })
  const centers = numbersOf(first, WINDOW_CENTER)
  return {
    kind: 'images',
    images,
    clips: readClips(images),
    isColour: isInColour(first),
    isExact: isFloat(first),
    hasOverlays: drawn.some((instance) => overlaysOf(instance).length > 0),
    isPet: isDarkOnLight(first),
    windows: numbersOf(first, WINDOW_WIDTH).flatMap((width, at) => {
      const center = centers[at]
      return center === undefined || !(isFloat(first) ? width > 0 : width >= 1) ? [] : [{ center, width }]
    }),
  }
}

/** Empty when no object has frames: then the series is one stack. */
function readClips(images: ViewerImage[]): Clip[] {
  const clips: Clip[] = []
  images.forEach((image, at) => {
    const last = clips.at(-1)
    if (image.frame === 1 || last === undefined) clips.push({ start: at, count: 1 })
    else last.count++
  })
  return clips.some(({ count }) => count > 1) ? clips : []
}

/** Source: PS3.3 C.7.6.5 (cine module). */
function framesPerSecond(instance: DicomObject): number {
  const frameTimeMs = numberOf(instance, FRAME_TIME) ?? 0
  const given =
    numberOf(instance, RECOMMENDED_RATE) || numberOf(instance, CINE_RATE) || (frameTimeMs > 0 ? 1000 / frameTimeMs : 0)
  const isClip = (numberOf(instance, NUMBER_OF_FRAMES) ?? 1) > 1
  const rate = given > 0 ? given : isClip ? CLIP_FPS : STACK_FPS
  return Math.min(FASTEST_FPS, Math.max(SLOWEST_FPS, rate))
}
