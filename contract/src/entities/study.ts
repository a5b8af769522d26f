import * as z from 'zod/mini'
import { customField } from './page-fields.ts'

/** DICOM-born fields of a study that a client may give (`api-facts` §5, STUDY_TAGS). */
export const studyDicomFields = [
  'patient_name',
  'patientid',
  'patient_sex',
  'patient_birth_date',
  'patient_birth_time',
  'patient_age',
  'patient_weight',
  'patient_address',
  'patient_size',
  'patientid_other',
  'patient_name_other',
  'patient_phone',
  'patient_additional_history',
  'study_description',
  'accession_number',
  'patient_birthname',
  'patient_mother_birthname',
  'medical_record_locator',
  'patient_religious_preference',
  'patient_comments',
  'patient_current_location',
  'patient_institution_residence',
  'patient_ethnic_group',
  'patient_occupation',
  'study_date',
  'study_time',
  'modality',
  'referring_physician',
] as const
export type StudyDicomField = (typeof studyDicomFields)[number]

/** Tags of a record that have no column of their own: read and written like the others. */
export const otherDicomFields = [
  'patient_weight',
  'patient_address',
  'patient_size',
  'patientid_other',
  'patient_name_other',
  'patient_phone',
  'patient_additional_history',
  'patient_birthname',
  'patient_mother_birthname',
  'medical_record_locator',
  'patient_religious_preference',
  'patient_comments',
  'patient_current_location',
  'patient_institution_residence',
  'patient_ethnic_group',
  'patient_occupation',
] as const satisfies readonly StudyDicomField[]
const otherDicomEntries = Object.fromEntries(otherDicomFields.map((tag) => [tag, z.string()])) as Record<
  (typeof otherDicomFields)[number],
  z.ZodMiniString
> // one entry for each

/**
 * Whether the destination has confirmed that it stores what it took. `failed`: it does not store some images, and the push
 * counts as failed. `refused`: it could not be asked. `unanswered`: it said nothing in time.
 */
const commitment = z.enum(['asked', 'committed', 'failed', 'refused', 'unanswered'])

export const pushStatus = z.object({
  destination_uuid: z.string(),
  destination_name: z.string(),
  /** N pending, I in process, P partial, S success, F failed. */
  status: z.enum(['N', 'I', 'P', 'S', 'F']),
  status_reason: z.nullable(z.string()),
  /** Ours: 1 where it no longer tells how far the exam is, since its nomination waits again, was rejected or went elsewhere. */
  is_overtaken: z.number(),
  /** Ours, of a push that failed: 1 where only a person who gives a reason sends it (mrn_reason of study/push). */
  wants_reason: z.number(),
  /** Ours, where wants_reason is 1: stands for the question, and goes back with the reason (question of study/push); else empty. */
  question: z.string(),
  /** Ours: what is known of storage commitment; null where it was not asked for. */
  commitment: z.nullable(commitment),
  commitment_reason: z.nullable(z.string()),
  image_count: z.nullable(z.number()),
  /** Ours: of a push that succeeded, the images that came or were replaced since. */
  late_image_count: z.number(),
  created: z.string(),
  updated: z.string(),
})

/** The last nomination of a study, as the record that was nominated and that of the gatekeeper group tell it. */
const studyNomination = z.object({
  /** Of `gate` records the gatekeeper group decides. */
  side: z.enum(['source', 'gate']),
  state: z.enum(['nominated', 'queued', 'completed', 'failed', 'rejected']),
  group_uuid: z.string(),
  group_name: z.string(),
  /** The place that nominated. */
  from_name: z.string(),
  submitted_at: z.string(),
  submitted_by_name: z.string(),
  /** Answers of the form, by the uuids of its fields. */
  answers: z.record(z.string(), z.string()),
  /** Fields of answers that were deleted since, with the names that they had. */
  deleted_questions: z.array(z.object({ uuid: z.string(), name: z.string(), type: z.string(), options: z.unknown() })),
  /** Of a rejection. */
  reason: z.string(),
  /** A code of `rejectionCodes`, scheme DCM; empty where the reason stands in words alone. */
  reason_code: z.string(),
  message: z.string(),
  decided_by_name: z.string(),
  /** Of one that was sent: where to, and what came of it. */
  destination_uuid: z.nullable(z.string()),
  destination_name: z.string(),
  status_reason: z.string(),
  commitment: z.nullable(commitment),
  commitment_reason: z.string(),
  /** Of one that was sent: images that came to the gatekeeper group since, or were replaced there. */
  late_image_count: z.number(),
  /** 1: the exam waits, and its sender corrected it since; nominating it again gives the gatekeeper group what is in force. */
  is_corrected: z.number(),
  /** Since when it is so. */
  updated: z.string(),
  /** Of a `gate` record: one person has matched it, and a second one is to confirm the patient before it is sent. */
  asked: z.nullable(
    z.object({
      by_uuid: z.string(),
      by_name: z.string(),
      at: z.string(),
      destination_name: z.string(),
      /** Values of before the corrections, by the fields that were corrected. */
      came: z.record(z.string(), z.string()),
      /** 0: the study was changed since, and the match counts no more. */
      is_valid: z.number(),
    }),
  ),
})
export type Nomination = z.infer<typeof studyNomination>

const deletedBefore = z.object({ uuid: z.string(), deleted_at: z.string(), deleted_by_name: z.string() })
export type DeletedBefore = z.infer<typeof deletedBefore>

/** The retraction of a study from a place: by whom, when and why; of a copy without names both texts are empty. */
export const retraction = z.object({ at: z.string(), by_name: z.string(), reason: z.string() })
export type Retraction = z.infer<typeof retraction>

/**
 * A study record as `study/get` and `study/list` give it (ENTITY-10). Stamps are `YYYY-MM-DD hh:mm:ss.ffffff+00`,
 * DICOM dates `YYYYMMDD`, flags 0 or 1, sizes in bytes. Ours beyond the public API: arrival, expected_count,
 * mixed_patients, conflict_count, settled_count, nomination, has_waiting_shares, is_deidentified, locked_by_name, work_status, taken_by, taken_by_name, unread, deleted_at, deleted_by_name, deleted_before, retraction, newer_uuid, merged_into, issuer, mrn_outside, image_mrns, mrn_of_all, row_version.
 */
export const studyObject = z.object({
  uuid: z.string(),
  study_uid: z.string(),
  phi_namespace: z.string(),
  phi_namespace_name: z.string(),
  storage_namespace: z.string(),
  engine_fqdn: z.string(),
  viewer_link: z.string(),
  patient_name: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  /** The MRN is another organisation's, or nobody knows whose: it stands for nobody here by itself. */
  mrn_outside: z.number(),
  /** With `study/get`: MRNs that the images carry, where these are several and nobody has written the one of all of them. */
  image_mrns: z.optional(z.array(z.string())),
  /** With `study/get`: by whom, when and of which MRNs the one of the record was said to be that of all images. */
  mrn_of_all: z.optional(z.object({ mrns: z.array(z.string()), by_name: z.string(), at: z.string() })),
  patient_sex: z.string(),
  patient_birth_date: z.string(),
  patient_birth_time: z.string(),
  patient_age: z.string(),
  ...otherDicomEntries,
  accession_number: z.string(),
  study_description: z.string(),
  study_date: z.string(),
  study_time: z.string(),
  modality: z.string(),
  referring_physician: z.string(),
  source: z.enum(['upload', 'harvest', 'share', 'copy']),
  source_ae_title: z.string(),
  destination_ae_title: z.string(),
  integration_key: z.string(),
  share_message: z.optional(z.string()),
  phantom: z.number(),
  thin: z.number(),
  star: z.number(),
  must_approve: z.number(),
  is_locked: z.number(),
  locked_by_name: z.string(),
  is_frozen: z.number(),
  /** A copy without names (`study/deidentify/add`), whose attached files are given to nobody. */
  is_deidentified: z.number(),
  is_being_retrieved: z.number(),
  has_direct_shares: z.number(),
  /** For who may approve: images of another share wait for approval beside these. */
  has_waiting_shares: z.number(),
  is_deleted: z.number(),
  image_count: z.number(),
  series_count: z.number(),
  attachment_count: z.number(),
  size: z.number(),
  study_status: z.nullable(z.string()),
  study_push_status: z.array(pushStatus),
  /** Of a study that was nominated, or that a gatekeeper group got so. */
  nomination: z.optional(studyNomination),
  tags: z.array(z.string()),
  customfields: z.array(customField),
  /** With customfield_h=1: values by the uuid of their field. */
  customfield_h: z.optional(z.record(z.string(), z.string())),
  /** Flags, 1 or 0, and of fields that the role narrows the letter of `study_field_…`. */
  permissions: z.record(z.string(), z.union([z.number(), z.string()])),
  routes: z.optional(z.array(z.object({ uuid: z.string(), name: z.string() }))),
  hl7: z.array(z.object({ uuid: z.string() })),
  created: z.string(),
  updated: z.string(),
  created_by_name: z.string(),
  arrival: z.enum(['announced', 'receiving', 'complete', 'incomplete']),
  expected_count: z.nullable(z.number()),
  mixed_patients: z.number(),
  conflict_count: z.number(),
  /** Versions beside the one shown, of images that somebody settled. */
  settled_count: z.number(),
  work_status: z.enum(['new', 'in_progress', 'done']),
  taken_by: z.nullable(z.string()),
  taken_by_name: z.string(),
  unread: z.number(),
  priority: z.number(),
  row_version: z.number(),
  /** Of deleted records only: since when, and by whom. */
  deleted_at: z.optional(z.string()),
  deleted_by_name: z.optional(z.string()),
  /** Of deleted records: the record that the study has again, beside whose images they would be restored. */
  newer_uuid: z.optional(z.nullable(z.string())),
  /**
   * Of exams without images, in `study/get`: the exam of the same place that all of them went to by a merge; empty where
   * that is in another place or no longer there.
   */
  merged_into: z.optional(z.string()),
  /** Of `study/get`, and of `study/list` where `fields.study` names it, for those who may see orders: orders of its place that the exam belongs to. */
  order_count: z.optional(z.number()),
  /** For who may approve or delete: the study was taken back from this place, the last time so. */
  retraction: z.optional(retraction),
  /** For who may restore: records of the same study that were deleted before, the last one first. */
  deleted_before: z.optional(z.array(deletedBefore)),
})
export type Study = z.infer<typeof studyObject>
type StudyField = keyof Study
export const studyFields = Object.keys(studyObject.shape) as readonly StudyField[]
