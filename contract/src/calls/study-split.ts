import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxSplitReason } from '../limits.ts'
import * as wire from '../wire.ts'
import { byUuid } from './study.ts'

/** Images to move: those that name one patient, by the key of study/patients, of one series or of all. */
const movedPart = z.object({
  patient: z.string(),
  series_uid: z.optional(z.string()),
})

const verdict = z.enum(['same', 'likely', 'different'])

const patient = z.object({
  patient_name: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  patient_birth_date: z.string(),
  patient_sex: z.string(),
})

/** People, places and links that show the images of a study, or had them. */
export const reach = z.object({
  /** Other places that see the images by a share. */
  places: z.number(),
  /** Places that kept a copy of their own: the copies stay as they are. */
  copies: z.number(),
  /** Links that open the exam, of every place that sees the images. */
  links: z.number(),
  /** Destinations that have the exam already: what is moved stays there. */
  pushed_to: z.array(z.string()),
})

/**
 * Why nothing can be moved now: the exam awaits approval or arrives still, a hold or a freeze keeps it, a nomination waits
 * or a push runs, a person edits it, another separation runs, or the images belong to a sender.
 */
export const splitObstacles = [
  'receiving',
  'awaits-approval',
  'hold',
  'frozen',
  'nominated',
  'pushing',
  'locked',
  'running',
  'of-sender',
] as const
export type SplitObstacle = (typeof splitObstacles)[number]

/** Why a separation or a merge cannot be undone any more. */
export const undoObstacles = [
  'edited',
  'shared',
  'linked',
  'pushed',
  'nominated',
  'attached',
  'images-came',
  'images-follow',
  'images-went',
  'series-went',
  'deleted',
  'hold',
  'frozen',
  'pushing',
] as const
export type UndoObstacle = (typeof undoObstacles)[number]

const choice = {
  ...byUuid,
  /** JSON list of `{patient, series_uid?}`; `patient` is a key of study/patients. */
  move: z.optional(wire.json(z.array(movedPart))),
  /** Single images besides. */
  image_uids: z.optional(wire.textList()),
}

const on = { kind: 'study', by: ['uuid'], may: 'splitStudy' } as const

export const studySplitPreview = defineCall({
  path: 'study/split/preview',
  reads: true,
  summary:
    'What study/split would do: the images that would move and the patient whom they name, those that would stay, how the identity comparison sees both, where the exam is, and what is in the way now. digest stands for the images as they are, for study/split. INVALID_FIELD where nothing or everything would move, or one of image_uids is not of the study.',
  ours: true,
  on,
  input: z.object(choice),
  output: z.object({
    digest: z.string(),
    moves: z.object({ images: z.number(), series: z.number(), patient }),
    stays: z.object({ images: z.number(), series: z.number(), patient }),
    /** The exam as its images that move describe it. */
    exam: z.object({ accession_number: z.string(), study_description: z.string(), study_date: z.string() }),
    /** The images that move compared with those that stay. */
    verdict,
    /** 1 where the images that move, or those that stay, name several patients still. */
    moves_mixed: z.number(),
    stays_mixed: z.number(),
    /** Objects that refer to images of the other side, among those that move and those that stay. */
    references_lost: z.number(),
    /** Images whose headers cannot be read; they stay. */
    unread: z.number(),
    reach,
    obstacles: z.array(z.enum(splitObstacles)),
  }),
  errors: ['INVALID_FIELD', 'INVALID_JSON'],
})

export const studySplit = defineCall({
  path: 'study/split',
  summary: `Moves images of a study into a study of their own in the same place, with new Study, Series and SOP Instance UIDs: of the wire's call the name and the errors. The patient is the one that a person confirmed; what differs from the images is an edit of the new record. The moved images disappear everywhere that the study is, once all of them are stored anew; the originals are kept. study/split/list tells when it is done. NOT_AVAILABLE names what is in the way, INVALID_FIELD what cannot be written into images, STALE that the images are no longer those of the digest, MRN_HELD other people under the MRN, for which mrn_reason says why. reason has at most ${maxSplitReason} characters.`,
  on,
  input: z.object({
    ...choice,
    /** The place of the study; another one is NOT_AVAILABLE. */
    namespace_id: z.optional(wire.id()),
    digest: wire.text(),
    patient_name: z.optional(wire.clearableAnyText()),
    patientid: z.optional(wire.clearableAnyText()),
    patient_birth_date: z.optional(wire.clearableAnyText()),
    patient_sex: z.optional(wire.clearableAnyText()),
    accession_number: z.optional(wire.clearableAnyText()),
    study_description: z.optional(wire.clearableAnyText()),
    mrn_reason: z.optional(wire.text()),
    reason: z.optional(wire.clearableText()),
  }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_FIELD', 'INVALID_JSON', 'LOCKED', 'MRN_HELD', 'NOT_AVAILABLE', 'RUNNING', 'STALE'],
})

const separation = z.object({
  uuid: z.string(),
  /** Images of another patient went to an exam of their own, or images of an exam to one that was there. */
  kind: z.enum(['split', 'merge']),
  state: z.enum(['making', 'made', 'failed', 'undone']),
  /** 1 of the record that the images left; 0 of the one that has them. */
  is_source: z.number(),
  /** The record on the other side; empty where it is not there. */
  other_uuid: z.string(),
  images: z.number(),
  done: z.number(),
  message: z.string(),
  reason: z.string(),
  created: z.string(),
  created_by_name: z.string(),
  /** Reasons why the caller cannot undo it; empty where there are none. */
  undo_obstacles: z.array(z.enum(undoObstacles)),
})
export type Separation = z.infer<typeof separation>

export const studySplitList = defineCall({
  path: 'study/split/list',
  reads: true,
  summary: 'The separations and merges that a study was part of, the newest first.',
  ours: true,
  on,
  input: z.object(byUuid),
  output: z.object({ separations: z.array(separation) }),
  errors: [],
})

export const studySplitUndo = defineCall({
  path: 'study/split/undo',
  summary:
    'Puts the images of a separation or a merge back where they were, by either of its records. NOT_AVAILABLE names what has happened since, or what is in the way.',
  ours: true,
  on,
  input: z.object({ ...byUuid, separation_id: wire.id() }),
  output: z.object({ uuid: z.string() }),
  errors: ['LOCKED', 'NOT_AVAILABLE'],
})
