import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { otherDicomFields, studyObject, studyDicomFields, type StudyDicomField } from '../entities/study.ts'
import type { FieldKind } from '../list.ts'
import { rejectionCodeValues } from '../rejection-codes.ts'
import * as wire from '../wire.ts'

/** The two ways to name a record: its uuid, or the storage triplet. phi_namespace defaults to storage_namespace. */
export const byUuid = { uuid: z.optional(wire.id()) }
export const byTriplet = {
  study_uid: z.optional(wire.naming(wire.clearableText())),
  storage_namespace: z.optional(wire.id()),
  phi_namespace: z.optional(wire.id()),
}
const dicomFieldInputs = Object.fromEntries(
  studyDicomFields.map((tag) => [tag, z.optional(wire.clearableAnyText())]),
) as Record<StudyDicomField, ReturnType<typeof optionalText>>
function optionalText() {
  return z.optional(wire.clearableText())
}

type OtherDicomField = (typeof otherDicomFields)[number]
const otherDicomFilters = Object.fromEntries(otherDicomFields.map((tag) => [tag, 'text'])) as Record<
  OtherDicomField,
  'text'
> // one for each

/** The stored columns that a study list can be searched and sorted by (SEARCH-05, data dictionary). */
export const studyColumns = {
  uuid: 'uuid',
  study_uid: 'exact',
  phi_namespace: 'uuid',
  storage_namespace: 'uuid',
  patient_name: 'text',
  patientid: 'text',
  patient_birth_date: 'date',
  patient_birth_time: 'exact',
  patient_sex: 'text',
  patient_age: 'text',
  issuer: 'text',
  ...otherDicomFilters,
  accession_number: 'exact',
  study_description: 'text',
  study_date: 'date',
  study_time: 'exact',
  modality: 'text',
  referring_physician: 'text',
  source: 'exact',
  source_ae_title: 'text',
  destination_ae_title: 'text',
  integration_key: 'exact',
  share_message: 'text',
  arrival: 'exact',
  expected_count: 'integer',
  image_count: 'integer',
  series_count: 'integer',
  size: 'integer',
  conflict_count: 'integer',
  attachment_count: 'integer',
  mixed_patients: 'flag',
  must_approve: 'flag',
  is_frozen: 'flag',
  thin: 'flag',
  has_direct_shares: 'flag',
  work_status: 'exact',
  taken_by: 'uuid',
  priority: 'integer',
  nominated_at: 'stamp',
  row_version: 'integer',
  created_by: 'uuid',
  created: 'stamp',
  updated: 'stamp',
  deleted_at: 'stamp',
} as const satisfies Record<string, FieldKind>
export type StudyColumn = keyof typeof studyColumns

/** All that a study list can be searched by. Virtual ones are questions, not columns. */
const studyFilters = {
  ...studyColumns,
  star: 'virtual',
  phantom: 'virtual',
  is_deleted: 'virtual',
  study_push_status: 'virtual',
  unread: 'virtual',
  tags: 'tags',
  SMART_SEARCH: 'virtual',
} as const satisfies Record<string, FieldKind>

const studySorts = Object.keys(studyColumns) as readonly StudyColumn[]

/** Rules of a study list; saved searches are read by the same ones. */
export const studyListRules = {
  object: 'study',
  rowsKey: 'studies',
  filters: studyFilters,
  sorts: studySorts,
  defaultRows: 100,
  customFields: true,
  savedSearches: true,
} as const

export const studyList = defineCall({
  path: 'study/list',
  reads: true,
  summary: 'Lists the studies that the caller may see, newest first.',
  on: { kind: 'studies' },
  list: studyListRules,
  input: z.object({
    customfield_h: z.optional(wire.flag()),
    /** A saved search that narrows the list, with the caller's own rights. */
    filter_id: z.optional(wire.naming(wire.text())),
  }),
  output: z.object({ studies: z.array(z.partial(studyObject)), page: wire.page, more: z.number() }),
  errors: ['INVALID_FLAG'],
})

export const studyCount = defineCall({
  path: 'study/count',
  reads: true,
  summary: 'Counts the studies of the same filters; with cap the count stops at cap + 1.',
  on: { kind: 'studies' },
  list: { ...studyListRules, isCount: true },
  input: z.object({ cap: z.optional(wire.integer()), filter_id: z.optional(wire.naming(wire.text())) }),
  output: z.object({ count: z.number() }),
  errors: [],
})

export const studyGet = defineCall({
  path: 'study/get',
  reads: true,
  summary: 'Reads one study record.',
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy', deletedToo: true },
  input: z.object({
    ...byUuid,
    ...byTriplet,
    fields: z.optional(wire.textList()),
    customfield_h: z.optional(wire.flag()),
  }),
  output: z.partial(studyObject),
  errors: ['INVALID_FLAG', 'INVALID_JSON'],
})

export const studyAdd = defineCall({
  path: 'study/add',
  takesCustomFields: true,
  summary:
    'Announces a study before its images; it is listed from its first image. One that is thin is listed at once: its images lie elsewhere.',
  on: { kind: 'namespace', by: ['phi_namespace', 'storage_namespace'], may: 'addStudy' },
  asks: { 'a study that is not thin': 'uploadStudy' },
  input: z.object({
    study_uid: wire.naming(wire.text()),
    storage_namespace: z.optional(wire.id()),
    phi_namespace: wire.id(),
    thin: z.optional(wire.flag()),
    ...dicomFieldInputs,
    image_count: z.optional(wire.integer()),
    integration_key: z.optional(wire.clearableText()),
    source_ae_title: z.optional(wire.clearableText()),
    destination_ae_title: z.optional(wire.clearableText()),
  }),
  output: z.object({ uuid: z.string(), engine_fqdn: z.string() }),
  errors: [
    'ALREADY_EXISTS',
    'INVALID_CUSTOMFIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_FIELD',
    'NAMESPACE_NOT_FOUND',
  ],
})

export const studySet = defineCall({
  path: 'study/set',
  takesCustomFields: true,
  summary:
    'Changes a study record: demographics as edits that keep what was there before, custom fields as customfield-{uuid}, status. An edit that puts two people under one MRN is answered with MRN_HELD until it gives mrn_reason. The MRN that the record shows, sent alone with mrn_reason, is said to be that of all images, where these carry several; mrn_of_all takes that back. With seen_mrns, an image under a number that is not among them, nor the one of the record, keeps its own and holds the exam.',
  on: {
    kind: 'study',
    by: ['study_id', 'uuid'],
    may: 'setStudy',
  },
  decides: { fields: 'changeStudy', work_status: 'setWorkStatus', rejection: 'approveStudy' },
  asks: { use_upload_permission: 'describeOwnUpload' },
  input: z.object({
    study_id: z.optional(wire.id()),
    ...byUuid,
    ...byTriplet,
    ...dicomFieldInputs,
    /** How many images the study should have, files of one SOP Instance UID counted once; the number only ever rises. */
    image_count: z.optional(wire.integer()),
    integration_key: z.optional(wire.clearableText()),
    source_ae_title: z.optional(wire.clearableText()),
    destination_ae_title: z.optional(wire.clearableText()),
    use_upload_permission: z.optional(wire.flag()),
    /**
     * Ours: the assigning authority of the MRN; empty, and any name of the organisation's own, makes the MRN the
     * organisation's. Without it the MRN that came keeps its own, and another one is the organisation's.
     */
    issuer: z.optional(wire.clearableText()),
    /** Why the patient has an MRN that somebody else holds too, or images under another one; put on record. */
    mrn_reason: z.optional(wire.clearableText()),
    /** Ours, with an MRN: the numbers that the caller saw on the images, which it replaces; all that they carry by default. */
    seen_mrns: z.optional(wire.textList()),
    /** Ours, sent without fields: 0 takes back that the MRN was said to be that of all images. */
    mrn_of_all: z.optional(wire.flag()),
    /** The caller compared the exam with the new patient: one person, although both look different. Put on record. */
    patient_confirmed: z.optional(wire.flag()),
    /** Ours, with a rejection: its code of DICOM (CID 7011). */
    rejection_code: z.optional(wire.oneOf(rejectionCodeValues, 'INVALID_FIELD')),
    row_version: z.optional(wire.integer()),
    work_status: z.optional(z.enum(['new', 'in_progress', 'done'])),
    unread: z.optional(wire.flag()),
  }),
  output: z.object({
    uuid: z.string(),
    /** Of ours: the version that the change made, by which it can be taken back unless somebody changed the record since. */
    row_version: z.optional(z.number()),
  }),
  errors: [
    'INVALID_CUSTOMFIELD',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'LOCKED',
    'MRN_HELD',
    'NOT_NOMINATED',
    'STALE',
    'STUDY_SET_PARAMS_EMPTY',
  ],
})

export const studySync = defineCall({
  path: 'study/sync',
  summary: 'Tells that all images were sent; ends the receiving state.',
  on: { kind: 'study', by: ['uuid', 'study_id'], may: 'completeStudy' },
  asks: { 'a number of images': 'uploadStudy', 'no number of images': 'syncStudy' },
  input: z.object({
    ...byUuid,
    study_id: z.optional(wire.id()),
    ...byTriplet,
    image_count: z.optional(wire.clearableText()),
  }),
  output: wire.statusOnly,
  errors: ['BLOCKED', 'INVALID_INTEGER'],
})

/** named: an image of this SOP UID is there; without a hash nobody can say whether it is the same. */
const uploadVerdicts = ['have', 'missing', 'conflict', 'named'] as const
export const studyUploadCheck = defineCall({
  path: 'study/upload/check',
  reads: true,
  summary:
    'Tells which of these images and attached files the namespace has already, by their SHA-256, so that only the rest is sent.',
  ours: true,
  on: { kind: 'namespace', by: ['namespace_id'], may: 'uploadStudy' },
  input: z.object({
    namespace_id: wire.id(),
    instances: wire.json(
      z
        .array(
          z.object({
            study_uid: z.string(),
            sop_uid: z.string(),
            /** Hexadecimal. Without it the verdict is missing or named. */
            sha256: z.optional(z.string()),
          }),
        )
        .check(z.maxLength(10_000)),
    ),
    /** Files attached to studies of the namespace; without a hash their names alone are compared. */
    attachments: z.optional(
      wire.json(
        z
          .array(z.object({ study_uid: z.string(), filename: z.string(), sha256: z.optional(z.string()) }))
          .check(z.maxLength(10_000)),
      ),
    ),
  }),
  output: z.object({
    verdicts: z.array(z.enum(uploadVerdicts)),
    /** For each of the attachments, in their order. */
    attachment_verdicts: z.array(z.enum(['have', 'missing'])),
    /** Images, by their place in the list, whose SOP UID stands in another study of the namespace too. */
    elsewhere: z.array(z.object({ at: z.number(), study_uid: z.string() })),
  }),
  errors: ['INVALID_JSON'],
})

export const studyLock = defineCall({
  path: 'study/lock',
  summary: 'Takes the study for two minutes, or renews that; a courtesy to others, not needed to change it.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'lockStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({ until: z.string() }),
  errors: ['LOCKED'],
})

export const studyUnlock = defineCall({
  path: 'study/unlock',
  summary: 'Gives the study back.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'lockStudy' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: wire.statusOnly,
  errors: ['LOCKED'],
})
