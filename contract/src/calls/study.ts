import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { studyObject, studyTags, type StudyTag } from '../entities/study.ts'
import type { FieldKind } from '../list.ts'
import type { Permission } from '../permissions.ts'
import * as wire from '../wire.ts'

/** The two ways to name a record: its uuid, or the storage triplet. phi_namespace defaults to storage_namespace. */
export const byUuid = { uuid: z.optional(wire.id()) }
export const byTriplet = {
  study_uid: z.optional(wire.clearableText()),
  storage_namespace: z.optional(wire.id()),
  phi_namespace: z.optional(wire.id()),
}
const tagInputs = Object.fromEntries(studyTags.map((tag) => [tag, z.optional(wire.clearableText())])) as Record<
  StudyTag,
  ReturnType<typeof optionalText>
>
function optionalText() {
  return z.optional(wire.clearableText())
}

/** Reading a record takes one of these; `study_browse` sees the record without its pixels' tools. */
export const readStudy = ['study_view', 'study_browse'] as const satisfies readonly Permission[]

/** What a study list can be searched by (SEARCH-05, data dictionary). Virtual ones are questions, not columns. */
export const studyFilters = {
  uuid: 'uuid',
  study_uid: 'exact',
  phi_namespace: 'uuid',
  storage_namespace: 'uuid',
  patient_name: 'text',
  patientid: 'text',
  patient_birth_date: 'date',
  patient_sex: 'text',
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
  created: 'stamp',
  updated: 'stamp',
  must_approve: 'flag',
  thin: 'flag',
  star: 'virtual',
  phantom: 'virtual',
  is_deleted: 'virtual',
  has_direct_shares: 'virtual',
  study_push_status: 'virtual',
  unread: 'virtual',
  work_status: 'exact',
  tags: 'tags',
  SMART_SEARCH: 'virtual',
} as const satisfies Record<string, FieldKind>

export const studySorts = [
  'created',
  'updated',
  'study_date',
  'patient_name',
  'patientid',
  'patient_birth_date',
  'accession_number',
  'study_description',
  'modality',
  'referring_physician',
  'priority',
  'nominated_at',
] as const

/** What a study list understands; saved searches are read by the same rules. */
export const studyListRules = {
  object: 'study',
  rowsKey: 'studies',
  filters: studyFilters,
  sorts: studySorts,
  defaultRows: 100,
  customFields: true,
} as const

export const studyList = defineCall({
  path: 'study/list',
  summary: 'Lists the studies that the caller may see, newest first.',
  on: { kind: 'studies' },
  list: studyListRules,
  input: z.object({
    extra: z.optional(wire.flag()),
    customfield_h: z.optional(wire.flag()),
    /** A saved search that narrows the list, with the caller's own rights. */
    filter_id: z.optional(wire.text()),
  }),
  output: z.object({ studies: z.array(z.partial(studyObject)), page: wire.page, more: z.number() }),
  errors: ['INVALID_FLAG'],
})

export const studyCount = defineCall({
  path: 'study/count',
  summary: 'Counts the studies of the same filters; with cap the count stops at cap + 1.',
  on: { kind: 'studies' },
  list: studyListRules,
  input: z.object({ cap: z.optional(wire.integer()), filter_id: z.optional(wire.text()) }),
  output: z.object({ count: z.number() }),
  errors: [],
})

export const studyGet = defineCall({
  path: 'study/get',
  summary: 'Reads one study record.',
  on: { kind: 'study', by: ['uuid'], needs: readStudy, deletedToo: true },
  input: z.object({
    ...byUuid,
    ...byTriplet,
    fields: z.optional(wire.textList()),
    extra: z.optional(wire.flag()),
    customfield_h: z.optional(wire.flag()),
  }),
  output: z.partial(studyObject),
  errors: ['INVALID_FLAG', 'INVALID_JSON'],
})

export const studyAdd = defineCall({
  path: 'study/add',
  summary:
    'Announces a study before its images; it is listed from its first image. One that is thin is listed at once: its images lie elsewhere.',
  on: { kind: 'namespace', by: ['phi_namespace', 'storage_namespace'], needs: ['study_upload', 'study_thin'] },
  input: z.object({
    study_uid: wire.text(),
    storage_namespace: z.optional(wire.id()),
    phi_namespace: wire.id(),
    thin: z.optional(wire.flag()),
    ...tagInputs,
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
  summary:
    'Changes a study record: demographics as edits that keep what was there before, custom fields as customfield-{uuid}, status.',
  on: {
    kind: 'study',
    by: ['study_id', 'uuid'],
    needs: [...readStudy, 'study_edit', 'study_thin', 'study_status_edit', 'study_upload'],
  },
  input: z.object({
    study_id: z.optional(wire.id()),
    ...byUuid,
    ...byTriplet,
    ...tagInputs,
    image_count: z.optional(wire.integer()),
    integration_key: z.optional(wire.clearableText()),
    use_upload_permission: z.optional(wire.flag()),
    row_version: z.optional(wire.integer()),
    work_status: z.optional(z.enum(['new', 'in_progress', 'done'])),
    unread: z.optional(wire.flag()),
  }),
  output: z.object({ uuid: z.string() }),
  errors: ['INVALID_CUSTOMFIELD', 'INVALID_FIELD', 'INVALID_FLAG', 'INVALID_INTEGER', 'LOCKED', 'STALE'],
})

export const studySync = defineCall({
  path: 'study/sync',
  summary: 'Tells that all images were sent; ends the receiving state.',
  on: { kind: 'study', by: ['uuid', 'study_id'], needs: ['study_sync', 'study_upload'] },
  input: z.object({
    ...byUuid,
    study_id: z.optional(wire.id()),
    ...byTriplet,
    image_count: z.optional(wire.clearableText()),
  }),
  output: wire.statusOnly,
  errors: ['BLOCKED'],
})

export const uploadVerdicts = ['have', 'missing', 'conflict'] as const
export const studyUploadCheck = defineCall({
  path: 'study/upload/check',
  summary: 'Tells which of these images the namespace has already, so that only the rest is sent.',
  ours: true,
  on: { kind: 'namespace', by: ['namespace_id'], needs: ['study_upload'] },
  input: z.object({
    namespace_id: wire.id(),
    instances: wire.json(
      z
        .array(
          z.object({
            study_uid: z.string(),
            sop_uid: z.string(),
            size: z.number(),
            /** Lower-case hexadecimal; with it "have" is certain, without it the size decides. */
            sha256: z.optional(z.string()),
          }),
        )
        .check(z.maxLength(10_000)),
    ),
  }),
  output: z.object({ verdicts: z.array(z.enum(uploadVerdicts)) }),
  errors: ['INVALID_JSON'],
})

export const studyLock = defineCall({
  path: 'study/lock',
  summary: 'Takes the study for two minutes, or renews that; a courtesy to others, not needed to change it.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], needs: ['study_edit', 'study_upload', 'study_approve'] },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({ until: z.string() }),
  errors: ['LOCKED'],
})

export const studyUnlock = defineCall({
  path: 'study/unlock',
  summary: 'Gives the study back.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], needs: ['study_edit', 'study_upload', 'study_approve'] },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: wire.statusOnly,
  errors: ['LOCKED'],
})
