import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { studyObject } from '../entities/study.ts'
import * as wire from '../wire.ts'
import { byTriplet, byUuid } from './study.ts'

export const studyStar = defineCall({
  path: 'study/star',
  summary: "Puts the caller's star on a study, or takes it off.",
  on: { kind: 'study', by: ['uuid'], may: 'starStudy' },
  input: z.object({ ...byUuid, ...byTriplet, star: wire.flag() }),
  output: wire.statusOnly,
  errors: ['INVALID_FLAG'],
})

export const studyDelete = defineCall({
  path: 'study/delete',
  summary: 'Deletes a study record; it can be restored for 30 days.',
  on: { kind: 'study', by: ['uuid'], may: 'deleteStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: wire.statusOnly,
  errors: [],
})

/** Most people that are named of one place. */
export const maxNamedPeople = 5

export const studyDeletePeople = defineCall({
  path: 'study/delete/people',
  reads: true,
  summary: `Tells who beside the caller sees studies of a namespace, and so loses those that are deleted there: how many people, and the names of the first ${maxNamedPeople}.`,
  ours: true,
  on: { kind: 'namespace', by: ['namespace_id'], may: 'deleteStudy' },
  input: z.object({ namespace_id: wire.id() }),
  output: z.object({ count: z.number(), people: z.array(z.object({ name: z.string() })) }),
  errors: [],
})

const restoredAccess = z.object({
  shares: z.number(),
  links: z.number(),
  expired: z.number(),
  ended: z.number(),
  one_patient: z.number(),
})

/**
 * Shares and links of a restored exam that were in force when it was deleted: those that give access again, and those that
 * stay ended, since they expired or somebody ended them meanwhile, or since a link was made to images of one patient and
 * the record has several now (`one_patient`).
 */
export type RestoredAccess = z.infer<typeof restoredAccess>

export const studyRevive = defineCall({
  path: 'study/revive',
  summary:
    'Restores a study record that was deleted in the last 30 days. Where the study was sent again since, the images come in beside the new ones and uuid names that record; error_subtype lists what keeps the two apart. access (ours) counts, for those who may see whom it is shared with, its shares and links that were in force when it was deleted: those that give access again (shares, links), and those that stay ended since they expired or were ended meanwhile, or since a link was made to images of one patient and the record has several now (one_patient); it is left out where there were none.',
  on: { kind: 'study', by: ['uuid'], may: 'deleteStudy', deletedToo: true },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({ uuid: z.optional(z.string()), access: z.optional(restoredAccess) }),
  errors: ['CAN_NOT_REVIVE'],
})

/** Acts a client may put on record itself (`api-facts` §5). */
const auditableActions = [
  'STUDY_VIEW',
  'STUDY_VIEW_REASON',
  'STUDY_EDIT',
  'STUDY_ANONYMIZE',
  'REPORT_UPLOAD',
  'REPORT_REMOVE',
  'REPORT_VIEW',
  'IMAGE_ADDED',
  'IMAGE_UPDATED',
  'IMAGE_DELETED',
  'STUDY_DOWNLOAD',
  'ACCEPTED_NOT_DIAGNOSTIC',
  'CANCELED_NOT_DIAGNOSTIC',
  'AI_ACTION',
  'VIEWER_ACTION',
  'SIGNED_REPORT_ADDENDUM',
] as const

export const studyAudit = defineCall({
  path: 'study/audit',
  summary: 'Puts an act of the client on record, e.g. the reason for a view.',
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy' },
  input: z.object({
    ...byUuid,
    ...byTriplet,
    action: wire.oneOf(auditableActions, 'INVALID_ACTION'),
    detail: z.optional(wire.clearableAnyText()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_ACTION', 'INVALID_FIELD'],
})

export const studyTimingEvent = defineCall({
  path: 'study/timing/event',
  summary: 'Notes a moment of an upload: when it began, ended, how many bytes it had.',
  on: { kind: 'namespace', by: ['storage_namespace'], may: 'uploadStudy' },
  input: z.object({
    study_uid: wire.naming(wire.text()),
    storage_namespace: wire.id(),
    event: wire.text(),
    size: z.optional(wire.integer()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_INTEGER'],
})

export const studyTimingLog = defineCall({
  path: 'study/timing/log',
  reads: true,
  summary: 'Lists the moments that were noted of a study, newest first.',
  on: { kind: 'study', by: ['uuid'], may: 'seeTiming' },
  list: {
    object: 'event',
    rowsKey: 'events',
    filters: { event: 'exact', created: 'stamp' },
    sorts: ['created', 'event', 'size'],
    defaultRows: 100,
  },
  input: z.object({ ...byUuid }),
  output: z.object({
    events: z.array(
      z.object({
        created: z.string(),
        event: z.string(),
        size: z.nullable(z.number()),
        node_id: z.nullable(z.string()),
        node_name: z.string(),
      }),
    ),
    page: wire.page,
  }),
  errors: [],
})

export const studyManualRoute = defineCall({
  path: 'study/manual/route',
  once: {},
  summary:
    'Sends a study along one of the routes that it lists. No route mails to an address that a person types: a good email and a message are refused (INVALID_FIELD with the name), another email is INVALID_EMAIL.',
  on: { kind: 'study', by: ['uuid'], may: 'routeManually' },
  input: z.object({
    ...byUuid,
    route_id: wire.id(),
    email: z.optional(wire.clearableAnyText()),
    message: z.optional(wire.clearableText()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_EMAIL', 'INVALID_FIELD', 'ROUTE_NOT_MATCHED'],
})

/** A study of perhaps the same patient, and what speaks for and against it (`dicom/src/identity.ts`). */
const relatedStudy = z.object({
  verdict: z.enum(['same', 'likely']),
  reasons: z.array(z.string()),
  study: z.partial(studyObject),
})
export type RelatedStudy = z.infer<typeof relatedStudy>
/** Most studies that are named as perhaps of the same patient. */
export const maxRelated = 50

export const studyRelated = defineCall({
  path: 'study/related',
  reads: true,
  summary: 'Other studies, of those that the caller may see, that are likely of the same patient, newest first.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy' },
  input: z.object({ ...byUuid, ...byTriplet, fields: z.optional(wire.textList()) }),
  output: z.object({ related: z.array(relatedStudy), more: z.number() }),
  errors: ['INVALID_JSON'],
})

export const studyElsewhere = defineCall({
  path: 'study/elsewhere',
  reads: true,
  summary: 'Other studies of the same namespace that hold images with the SOP UIDs of this one.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({
    /** Images of this study whose SOP UID stands in another study too. */
    image_count: z.number(),
    /** Of those that the caller may see, the newest first. */
    studies: z.array(z.object({ uuid: z.string(), study_date: z.string(), study_description: z.string() })),
  }),
  errors: [],
})

export const studyEditLimits = defineCall({
  path: 'study/edit/limits',
  reads: true,
  summary:
    'Counts the objects of a study whose inside an edit cannot change: documents, reports, pictures with burned-in text.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({
    pdf: z.number(),
    sr: z.number(),
    /** Captured screens, video, ultrasound: classes whose pixels often carry the patient's name. */
    burned_in: z.number(),
    /** All objects of the study. */
    image_count: z.number(),
  }),
  errors: [],
})
