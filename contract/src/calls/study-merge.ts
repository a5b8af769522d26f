import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxSplitReason } from '../limits.ts'
import * as wire from '../wire.ts'
import { byUuid } from './study.ts'
import { reach, splitObstacles } from './study-split.ts'

/**
 * Why two exams are not merged: what keeps either of them as it is, or one of them has no images, their patients are not
 * the same, the images of one name several patients, or images went from the exam that stays to another one already.
 */
export const mergeObstacles = [...splitObstacles, 'empty', 'other-patient', 'mixed', 'went-on'] as const
export type MergeObstacle = (typeof mergeObstacles)[number]

/** Facts of an exam that records show as its first image says. */
export const factsOfExam = [
  'accession_number',
  'study_description',
  'study_date',
  'study_time',
  'referring_physician',
  'modality',
] as const

const side = z.object({
  images: z.number(),
  series: z.number(),
  attachments: z.number(),
  patient_name: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  patient_birth_date: z.string(),
  patient_sex: z.string(),
  accession_number: z.string(),
  study_description: z.string(),
  study_date: z.string(),
  reach,
  /** Reasons why this exam cannot take part in the merge. */
  obstacles: z.array(z.enum(mergeObstacles)),
})

const both = {
  ...byUuid,
  /** The exam whose images go to the other one; of the same place. */
  secondary_uuid: wire.id(),
}

const choice = {
  /** JSON list of Series Instance UIDs of the secondary exam that move; without series_uids and image_uids all of it does. */
  series_uids: z.optional(wire.textList()),
  /** Single images besides, by their SOP Instance UIDs. */
  image_uids: z.optional(wire.textList()),
}

const on = { kind: 'study', by: ['uuid'], may: 'splitStudy' } as const

export const studyMergePreview = defineCall({
  path: 'study/merge/preview',
  reads: true,
  summary:
    'What study/merge would do: the images that would move, the exam that they would go to, how the identity comparison sees both patients, who has either exam, and what is in the way now. digest stands for both exams as they are and for the choice, for study/merge. INVALID_FIELD names series_uids or image_uids where one of them is not of the exam, or nothing would move.',
  ours: true,
  on,
  input: z.object({ ...both, ...choice }),
  output: z.object({
    digest: z.string(),
    moves: side,
    stays: side,
    verdict: z.enum(['same', 'likely', 'different']),
    /** Images and series that get new UIDs, since the exam that stays has images or series of theirs. */
    renamed_images: z.number(),
    renamed_series: z.number(),
    /** Images and series that stay in the secondary exam; 0 where all of it moves. */
    rest_images: z.number(),
    rest_series: z.number(),
    /** Series of which a part moves: the moved part gets a UID of its own. */
    parted_series: z.number(),
    /**
     * Facts that the secondary exam shows otherwise afterwards: its first image is among those that move, and what stays says
     * so. Corrections stay.
     */
    rest_shows: z.array(z.object({ field: z.enum(factsOfExam), before: z.string(), after: z.string() })),
  }),
  errors: ['INVALID_FIELD', 'INVALID_JSON'],
})

export const studyMerge = defineCall({
  path: 'study/merge',
  summary: `Moves the images of one exam, all or those that series_uids and image_uids name, to another one of the same patient and place: they get its Study Instance UID, patient and exam, and keep Series and SOP Instance UIDs that are not taken there; the moved part of a series gets a Series Instance UID of its own. They leave the first exam everywhere, once all of them are stored anew; the originals are kept. Images that come late follow: of the whole exam all of its patient, else those of series that moved as a whole. study/split/list tells when it is done, study/split/undo puts them back. NOT_AVAILABLE names what is in the way, STALE that an exam changed since the preview. reason has at most ${maxSplitReason} characters.`,
  ours: true,
  on,
  input: z.object({ ...both, ...choice, digest: wire.text(), reason: z.optional(wire.clearableText()) }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_FIELD', 'INVALID_JSON', 'LOCKED', 'NOT_AVAILABLE', 'RUNNING', 'STALE'],
})
