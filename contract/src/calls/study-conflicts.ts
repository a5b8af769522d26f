import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'
import { byTriplet, byUuid } from './study.ts'

/** One of several images that came under one SOP Instance UID with different content. */
export const imageVersion = z.object({
  version: z.string(),
  series_uid: z.string(),
  /** Shown everywhere; the others are kept beside it. */
  is_shown: z.number(),
  /** Somebody chose which one is shown, knowing this one. */
  is_settled: z.number(),
  arrived: z.string(),
  source: z.string(),
  /** AE title of the sender, or empty. */
  source_name: z.string(),
})
export type ImageVersion = z.infer<typeof imageVersion>

/** An attribute in which two versions differ; null where one lacks it. */
const imageDifference = z.object({
  /** Eight hex digits; inside of sequences after the tags and item numbers (from 0) that lead there. */
  path: z.string(),
  /** The attribute's keyword, empty for private ones. */
  keyword: z.string(),
  vr: z.string(),
  first: z.nullable(z.string()),
  second: z.nullable(z.string()),
})

const imageComparison = z.object({
  first: z.string(),
  second: z.string(),
  differences: z.array(imageDifference),
  difference_count: z.number(),
  pixels_differ: z.number(),
  /** From 0; the first of many. */
  frames: z.array(z.number()),
})
export type ImageComparison = z.infer<typeof imageComparison>

const imageConflict = z.object({ sop_uid: z.string(), versions: z.array(imageVersion) })
export type ImageConflict = z.infer<typeof imageConflict>

/** Most images that are named at once. */
export const maxConflicts = 200

export const studyConflicts = defineCall({
  path: 'study/conflicts',
  reads: true,
  summary:
    'Images of a study that arrived more than once with different content, the open ones first. With sop_uid: of that image alone in what each version differs from the one shown, where that can be told.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy' },
  input: z.object({ ...byUuid, ...byTriplet, sop_uid: z.optional(wire.text()) }),
  output: z.object({
    conflicts: z.array(imageConflict),
    more: z.number(),
    comparisons: z.optional(z.array(imageComparison)),
  }),
  errors: [],
})

export const studyConflictSettle = defineCall({
  path: 'study/conflict/settle',
  summary:
    'Chooses which of several images of one SOP Instance UID is shown. All of them are kept; choosing another later is possible.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'editStudy' },
  input: z.object({ ...byUuid, ...byTriplet, sop_uid: wire.text(), series_uid: wire.text(), version: wire.text() }),
  output: wire.statusOnly,
  errors: ['INVALID_PARAMETERS'],
})
