import type { PresentationState } from './presentation-state.ts'
import { refersTo } from './references.ts'
import { segmentsOn, type Segment } from './segmentation.ts'
import { type ImageSeries, type ViewerImage, withOnly } from './series-images.ts'
import { structuresOn } from './structure-set.ts'
import { keyNoteOf, type StudyMarks } from './study-marks.ts'

/** How somebody wants to see a series. */
export type SeriesOptions = { isKeyOnly: boolean; state: PresentationState | undefined; startOnParts: boolean }

export const AS_STORED: SeriesOptions = { isKeyOnly: false, state: undefined, startOnParts: false }

/** Key images, presentation states, segments and structures that a study holds of one of its series. */
type SeriesMarks = { keyCount: number; states: PresentationState[]; segments: Segment[] }

export function marksOf(series: ImageSeries, marks: StudyMarks): SeriesMarks {
  const { images } = series
  const segments = new Set(images.flatMap((image) => partsOn(marks, image)))
  return {
    keyCount: countKeys(series, marks),
    states: marks.states.filter(({ references }) =>
      images.some(({ sopUid, frame }) => refersTo(references, sopUid, frame)),
    ),
    segments: [...segments],
  }
}

/** Segments and structures that lie on an image. */
function partsOn({ segmentations, structureSets }: StudyMarks, image: ViewerImage): Segment[] {
  return [
    ...(segmentations.length === 0 ? [] : segmentsOn(segmentations, image).flatMap((one) => one.segments)),
    ...structuresOn(structureSets, image),
  ]
}

export function countKeys({ images }: ImageSeries, marks: StudyMarks): number {
  return marks.notes.length === 0 ? 0 : images.filter((image) => keyNoteOf(marks, image)).length
}

/** The images to walk through, and the first of them to show. */
export function chooseImages(
  series: ImageSeries,
  marks: StudyMarks,
  options: SeriesOptions,
  current: { sopUid: string; frame: number } | undefined,
): { series: ImageSeries; startAt: number } {
  const chosen = options.isKeyOnly ? withOnly(series, (image) => keyNoteOf(marks, image) !== undefined) : series
  const { images } = chosen
  const { state } = options
  const places = [
    images.findIndex(({ sopUid, frame }) => sopUid === current?.sopUid && frame === current.frame),
    options.startOnParts ? images.findIndex((image) => partsOn(marks, image).length > 0) : -1,
    state ? images.findIndex(({ sopUid, frame }) => refersTo(state.references, sopUid, frame)) : -1,
  ]
  const first = series.isPet && !options.isKeyOnly ? Math.trunc(images.length / 2) : 0
  return { series: chosen, startAt: places.find((place) => place >= 0) ?? first }
}

/** A series of notes, states, segmentations or structures leads to the images they are about. */
export function optionsOf(seriesUid: string, marks: StudyMarks, modality: string): SeriesOptions {
  return {
    isKeyOnly: modality === 'KO',
    state: modality === 'PR' ? marks.states.find(({ instance }) => isOf(instance, seriesUid)) : undefined,
    startOnParts: modality === 'SEG' || modality === 'RTSTRUCT',
  }
}

function isOf(instance: PresentationState['instance'], seriesUid: string): boolean {
  return instance['0020000E']?.Value?.[0] === seriesUid
}
