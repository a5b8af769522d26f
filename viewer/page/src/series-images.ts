import { type DicomObject, numberOf, numbersOf, textOf } from './dicom-json.ts'
import type { Clip } from './clips.ts'
import { reasonWithoutPicture } from './object-kind.ts'

const SOP_UID = '00080018'
const INSTANCE_NUMBER = '00200013'
const NUMBER_OF_FRAMES = '00280008'
const FRAME_TIME = '00181063'
const CINE_RATE = '00180040'
const RECOMMENDED_RATE = '00082144'
const PHOTOMETRIC = '00280004'
const WINDOW_CENTER = '00281050'
const WINDOW_WIDTH = '00281051'
const WINDOW_FUNCTION = '00281056'

export type ViewerImage = { instance: DicomObject; sopUid: string; frame: number }

/** A series as the quick viewer walks it: one image per frame, or the reason why there is none. */
export type SeriesImages =
  | {
      kind: 'images'
      images: ViewerImage[]
      clips: Clip[]
      framesPerSecond: number
      isColour: boolean
      windows: { center: number; width: number }[]
    }
  | { kind: 'none'; reason: string }

const SLOWEST_FPS = 1
const FASTEST_FPS = 60
const STACK_FPS = 10
const CLIP_FPS = 20

export function readSeriesImages(instances: DicomObject[]): SeriesImages {
  const drawn = instances.filter((instance) => reasonWithoutPicture(instance) === undefined).sort(byInstanceNumber)
  const first = drawn[0]
  if (first === undefined)
    return { kind: 'none', reason: (instances[0] && reasonWithoutPicture(instances[0])) ?? 'an empty series' }
  const images = drawn.map(withoutWindowFunction).flatMap((instance) =>
    Array.from({ length: Math.max(1, numberOf(instance, NUMBER_OF_FRAMES) ?? 1) }, (_, at) => ({
      instance,
      sopUid: textOf(instance, SOP_UID),
      frame: at + 1,
    })),
  )
  const centers = numbersOf(first, WINDOW_CENTER)
  return {
    kind: 'images',
    images,
    clips: readClips(images),
    framesPerSecond: framesPerSecond(first),
    isColour: !textOf(first, PHOTOMETRIC).startsWith('MONOCHROME'),
    windows: numbersOf(first, WINDOW_WIDTH).flatMap((width, at) => {
      const center = centers[at]
      return center === undefined || width < 1 ? [] : [{ center, width }]
    }),
  }
}

/**
 * The loader takes the first letter of the function's name for the name, and the library then sets no window at all:
 * the picture would be black and white. Without it every window is linear, in the full viewer too.
 * Source: PS3.3 C.11.2.1.3.
 */
function withoutWindowFunction({ [WINDOW_FUNCTION]: _function, ...instance }: DicomObject): DicomObject {
  return instance
}

function byInstanceNumber(a: DicomObject, b: DicomObject): number {
  const byNumber = (numberOf(a, INSTANCE_NUMBER) ?? 0) - (numberOf(b, INSTANCE_NUMBER) ?? 0)
  return byNumber === 0 ? textOf(a, SOP_UID).localeCompare(textOf(b, SOP_UID), 'en', { numeric: true }) : byNumber
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
