import type { DicomObject } from './dicom-json.ts'
import { type KeyNote, readKeyNotes } from './key-images.ts'
import { type PresentationState, readPresentationStates } from './presentation-state.ts'
import { refersTo } from './references.ts'
import { readSegmentations, type Segmentation, withOwnColours } from './segmentation.ts'
import type { StripSeries } from './series-strip.ts'
import { readStructureSets, type StructureSet } from './structure-set.ts'

/** Objects of a study that are about its images: key notes, presentation states, segmentations and structure sets. */
export type StudyMarks = {
  notes: KeyNote[]
  states: PresentationState[]
  segmentations: Segmentation[]
  structureSets: StructureSet[]
  /** By the series that holds such objects: the series whose images they are about. */
  aboutSeries: ReadonlyMap<string, string[]>
  /** Every series of such objects came. */
  isWhole: boolean
}

export const NO_MARKS: StudyMarks = {
  notes: [],
  states: [],
  segmentations: [],
  structureSets: [],
  aboutSeries: new Map(),
  isWhole: true,
}
const MARKING = new Set(['KO', 'PR', 'SEG', 'RTSTRUCT'])

/** A series that does not come is left out, and the marks are not whole. */
export async function readStudyMarks(
  list: readonly StripSeries[],
  listInstances: (seriesUid: string) => Promise<DicomObject[]>,
): Promise<StudyMarks> {
  const marking = list.filter(isMarking)
  const found = await Promise.all(
    marking.map(async ({ seriesUid }) => {
      const answer = await listInstances(seriesUid).catch(() => undefined)
      const instances = answer ?? []
      return {
        seriesUid,
        hasCome: answer !== undefined,
        notes: readKeyNotes(instances),
        states: readPresentationStates(instances),
        segmentations: readSegmentations(instances),
        structureSets: readStructureSets(instances),
      }
    }),
  )
  return {
    notes: found.flatMap(({ notes }) => notes),
    states: found.flatMap(({ states }) => states),
    segmentations: withOwnColours(found.flatMap(({ segmentations }) => segmentations)),
    structureSets: found.flatMap(({ structureSets }) => structureSets),
    aboutSeries: new Map(
      found.map(({ seriesUid, notes, states, segmentations, structureSets }) => [
        seriesUid,
        [...notes, ...states, ...segmentations, ...structureSets].flatMap(({ seriesUids }) => seriesUids),
      ]),
    ),
    isWhole: found.every(({ hasCome }) => hasCome),
  }
}

/** Whether a series holds such objects, as far as its modality says. */
export function isMarking({ modality }: StripSeries): boolean {
  return MARKING.has(modality)
}

/** The note that makes an image a key image. */
export function keyNoteOf({ notes }: StudyMarks, image: { sopUid: string; frame: number }): KeyNote | undefined {
  return notes.find(({ references }) => refersTo(references, image.sopUid, image.frame))
}
