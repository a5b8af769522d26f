import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxNamelessRecipient, maxNamelessTexts } from '../limits.ts'
import * as wire from '../wire.ts'
import { byUuid } from './study.ts'

/** How dates leave a copy without names: all of a patient moved by as many days, or none at all. */
const namelessDates = ['MOVED', 'REMOVED'] as const
export type NamelessDates = (typeof namelessDates)[number]

/** Kinds of objects that stay behind, each with its reason. */
const leftOutReasons = [
  'document',
  'report',
  'video',
  'key-object',
  'presentation',
  'segmentation',
  'radiotherapy',
  'registration',
  'waveform',
  'spectroscopy',
  'raw',
  'other',
  'encoding',
  'drawings',
  'unreadable',
] as const

/** A copy without names of a study, with the key to it: for those alone who may give the study itself. */
const namelessCopy = z.object({
  uuid: z.string(),
  recipient: z.string(),
  /** Name and number of the patient in the copy. */
  pseudonym: z.string(),
  /** The record of the copy; empty until it is made, and when it was deleted. */
  study_id: z.string(),
  copy_study_uid: z.string(),
  study_uid: z.string(),
  dates: z.enum(namelessDates),
  /** Days that dates were moved by; 0 where none left. */
  days: z.number(),
  state: z.enum(['making', 'made', 'failed']),
  message: z.string(),
  images: z.number(),
  left_out: z.number(),
  created: z.string(),
  created_by_name: z.string(),
})

const choices = {
  ...byUuid,
  /** The recipient of the copy: the same text gives the same pseudonyms, UIDs and dates. */
  recipient: wire.text(),
  dates: wire.oneOf(namelessDates, 'INVALID_FIELD'),
}

const on = { kind: 'study', by: ['uuid'], may: 'makeNameless' } as const

export const studyDeidentifyPreview = defineCall({
  path: 'study/deidentify/preview',
  reads: true,
  summary:
    'What would leave in a copy of a study without names (PS3.15, Basic Application Confidentiality Profile): attributes before and after, as samples of each series show them, descriptions that may leave once somebody read them, series whose pictures may hold text, and what stays behind. digest stands for the images as they are, for study/deidentify/add. NOT_READY as there.',
  ours: true,
  on,
  input: z.object(choices),
  output: z.object({
    digest: z.string(),
    pseudonym: z.string(),
    days: z.number(),
    image_count: z.number(),
    attributes: z.array(
      z.object({ tag: z.string(), keyword: z.string(), before: z.string(), after: z.string(), count: z.number() }),
    ),
    texts: z.array(z.object({ keyword: z.string(), text: z.string() })),
    /** Series of which somebody has to see the pictures before they leave. */
    pixels: z.array(z.object({ series_uid: z.string(), modality: z.string(), count: z.number() })),
    left_out: z.array(z.object({ reason: z.enum(leftOutReasons), count: z.number() })),
    attachments: z.number(),
  }),
  errors: ['INVALID_FIELD', 'NOT_READY'],
})

export const studyDeidentifyAdd = defineCall({
  path: 'study/deidentify/add',
  once: {},
  summary: `Makes a copy of a study without names for one recipient (at most ${maxNamelessRecipient} characters), as a study of its own in the same place, to be given away like any other; study/deidentify/list tells when it is made. texts are descriptions that somebody read and lets leave (at most ${maxNamelessTexts}); pixels_seen says that somebody has looked at the pictures that may hold text, and is needed where there are any. STALE where the images are no longer those of the digest; ALREADY_EXISTS for a copy for the recipient that was made with other choices; NOT_READY while images arrive, while the study awaits approval, and where its images name several patients or none can leave.`,
  ours: true,
  on,
  input: z.object({
    ...choices,
    digest: wire.text(),
    texts: z.optional(wire.textList()),
    pixels_seen: z.optional(wire.flag()),
  }),
  output: z.object({ uuid: z.string() }),
  errors: ['ALREADY_EXISTS', 'INVALID_FIELD', 'INVALID_FLAG', 'INVALID_JSON', 'NOT_READY', 'STALE'],
})

export const studyDeidentifyList = defineCall({
  path: 'study/deidentify/list',
  reads: true,
  summary: 'The copies without names that were made of a study, the newest first, with the key to each.',
  ours: true,
  on,
  input: z.object(byUuid),
  output: z.object({ copies: z.array(namelessCopy) }),
  errors: [],
})

export const studyDeidentifyKey = defineCall({
  path: 'study/deidentify/key',
  reads: true,
  summary:
    'The UIDs of the images of a study as they are now, each with the UID that stands for it in the copies without names for one recipient: so that a result about an image of a copy finds its way back. No images where no copy was made for the recipient.',
  ours: true,
  on,
  input: z.object({ ...byUuid, recipient: wire.text() }),
  output: z.object({
    images: z.array(
      z.object({
        series_uid: z.string(),
        image_uid: z.string(),
        copy_series_uid: z.string(),
        copy_image_uid: z.string(),
      }),
    ),
  }),
  errors: [],
})
