import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/** Most days of a rule of retention: a hundred years. */
export const maxRetentionDays = 36_525

/**
 * Causes that keep a deleted exam: a hold on it, one on its patient, its owner who took it back everywhere, a date of
 * retention, or the rule of its place or account; empty when nothing does.
 */
export const retentionCauses = ['', 'hold', 'patient', 'retraction', 'date', 'rule'] as const
export type RetentionCause = (typeof retentionCauses)[number]

/** Things kept by the word of a person: an exam or a patient under a hold, or an exam with a date of retention. */
export const retainedKinds = ['study', 'patient', 'date'] as const
export type RetainedKind = (typeof retainedKinds)[number]

/** An exam, for those who keep and purge: its patient, place and date, and no images. */
const exam = {
  uuid: z.string(),
  namespace_id: z.string(),
  namespace_name: z.string(),
  study_uid: z.string(),
  patient_name: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  study_date: z.string(),
  study_description: z.string(),
}

const place = z.object({
  namespace_id: z.string(),
  name: z.string(),
  kind: z.enum(['account', 'group', 'location']),
  /** Null without a rule of its own: that of the account holds. */
  retention_days: z.nullable(z.number()),
})

export const retentionGet = defineCall({
  path: 'retention/get',
  reads: true,
  summary:
    'Gives the rules of retention of an account and its places, for how many days a deleted exam can be restored, and how many deleted exams go with the next purge, later, or not before something ends.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeRetention' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    /** Null without a rule. */
    retention_days: z.nullable(z.number()),
    restore_days: z.number(),
    places: z.array(place),
    bin: z.object({
      /** Go with the next nightly purge. */
      due: z.number(),
      later: z.number(),
      /** Stay until a hold or a retraction ends. */
      held: z.number(),
    }),
  }),
  errors: [],
})

export const retentionSet = defineCall({
  path: 'retention/set',
  summary:
    'Sets for how many days from its arrival an exam is kept at least, though it was deleted: of a place (namespace_id) or of the whole account. Empty takes the rule back; 0 of a place keeps nothing there longer. Tells how many deleted exams the change keeps or lets go; with check=1 it changes nothing. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerRetention' },
  input: z.object({
    account_id: wire.id(),
    namespace_id: z.optional(wire.id()),
    retention_days: wire.clearableText(),
    check: z.optional(wire.flag()),
    seen: wire.seen(),
  }),
  output: z.object({
    /** Deleted exams that nothing kept before. */
    kept: z.number(),
    /** Deleted exams that nothing keeps any more. */
    released: z.number(),
  }),
  errors: ['INVALID_FLAG', 'INVALID_INTEGER', 'INVALID_JSON', 'STALE'],
})

const retained = z.object({
  ...exam,
  kind: z.enum(retainedKinds),
  /** 1 for an exam in the bin. */
  is_deleted: flagOut,
  /** The last day of a date of retention; null of a hold, which lasts until somebody ends it. */
  until: z.nullable(z.string()),
  reason: z.string(),
  /** Name of the person who set it, and the time; empty and null where nobody is on record. */
  by_name: z.string(),
  since: z.nullable(z.string()),
})
export type RetainedEntry = z.infer<typeof retained>

export const retentionKept = defineCall({
  path: 'retention/kept',
  reads: true,
  summary:
    'Lists what is kept by the word of somebody: exams and patients under a legal hold, and exams with a date of retention that is not over. Of a hold on a patient uuid and place are empty.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeRetention' },
  list: {
    object: 'kept',
    rowsKey: 'kept',
    filters: { kind: 'exact', reason: 'text', namespace_name: 'text', since: 'stamp' },
    sorts: ['since', 'until', 'kind', 'namespace_name'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ kept: z.array(retained), page: wire.page }),
  errors: [],
})

const deletedExam = z.object({
  ...exam,
  deleted_at: z.string(),
  deleted_by: z.string(),
  kept_by: z.enum(retentionCauses),
  /** The last day of a date of retention, also of one that is over; null without a date. */
  retain_until: z.nullable(z.string()),
  /** The first moment at which a purge takes it; null while a hold or a retraction lasts. */
  due_at: z.nullable(z.string()),
})
export type DeletedExam = z.infer<typeof deletedExam>

export const retentionBin = defineCall({
  path: 'retention/bin',
  reads: true,
  summary: 'Lists the deleted exams of all places of an account: when each goes for good, and what keeps it.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeRetention' },
  list: {
    object: 'exam',
    rowsKey: 'exams',
    filters: { kept_by: 'exact', namespace_name: 'text', deleted_at: 'stamp', due_at: 'stamp' },
    sorts: ['due_at', 'deleted_at', 'namespace_name'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ exams: z.array(deletedExam), page: wire.page }),
  errors: [],
})

const purgedExam = z.object({
  /** Number of the audit row. */
  uuid: z.string(),
  at: z.string(),
  study_id: z.string(),
  study_uid: z.string(),
  namespace_name: z.string(),
  /** When and by whom it was deleted before; null and empty of purges of before this was put on record, and of erasures. */
  deleted_at: z.nullable(z.string()),
  deleted_by: z.string(),
  /** Of an erasure at the terminal: who did it, and why; empty of the nightly purge. */
  operator: z.string(),
  reason: z.string(),
})
export type PurgedExam = z.infer<typeof purgedExam>

export const retentionPurged = defineCall({
  path: 'retention/purged',
  reads: true,
  summary:
    'Lists the exams of an account that were removed for good, the latest first: by the nightly purge or by an erasure. Nothing of their patients is left to tell.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeRetention' },
  list: {
    object: 'exam',
    rowsKey: 'exams',
    filters: { at: 'stamp', namespace_name: 'text', study_uid: 'exact' },
    sorts: ['at'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ exams: z.array(purgedExam), page: wire.page }),
  errors: [],
})

const retainedExam = z.object({
  ...exam,
  is_deleted: flagOut,
  /** 1 while a hold is on the exam itself. */
  is_held: flagOut,
  hold_reason: z.string(),
  retain_until: z.nullable(z.string()),
})

export const retentionPatient = defineCall({
  path: 'retention/patient',
  reads: true,
  postOnly: true,
  summary:
    'Finds the patients of an account who have an MRN, however it is typed, with their exams and what keeps each; deleted ones among them. Put on record as a report about the patient.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerRetention' },
  input: z.object({ account_id: wire.id(), patientid: wire.anyText() }),
  output: z.object({
    patients: z.array(
      z.object({
        patientid: z.string(),
        issuer: z.string(),
        patient_name: z.string(),
        patient_birth_date: z.string(),
        /** 1 while a hold is on the patient. */
        is_held: flagOut,
        exams: z.array(retainedExam),
      }),
    ),
  }),
  errors: [],
})

const retentionTarget = {
  account_id: wire.id(),
  study_id: z.optional(wire.id()),
  patientid: z.optional(wire.anyText()),
  issuer: z.optional(wire.clearableAnyText()),
  reason: wire.text(),
}

export const retentionHold = defineCall({
  path: 'retention/hold',
  summary:
    'Puts a legal hold on an exam of the account (study_id) or on a patient (patientid with issuer): nothing of it is deleted, purged or erased until retention/release. The reason goes on record.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerRetention' },
  input: z.object(retentionTarget),
  output: wire.statusOnly,
  errors: ['INVALID_PARAMETERS', 'INVALID_VALUE'],
})

export const retentionRelease = defineCall({
  path: 'retention/release',
  summary:
    'Ends a legal hold on an exam or on a patient, with a reason that goes on record. NOT_FOUND where there is none.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerRetention' },
  input: z.object(retentionTarget),
  output: wire.statusOnly,
  errors: ['INVALID_PARAMETERS', 'INVALID_VALUE'],
})

export const retentionDate = defineCall({
  path: 'retention/date',
  summary:
    'Keeps an exam of the account through a day that is not over (retain_until, YYYY-MM-DD, UTC), though it is deleted; empty takes the date back. The reason goes on record. With seen, fields as they were read, a change by somebody else meanwhile answers STALE.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerRetention' },
  input: z.object({
    account_id: wire.id(),
    study_id: wire.id(),
    retain_until: wire.clearableText(),
    reason: wire.text(),
    seen: wire.seen(),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_JSON', 'INVALID_VALUE', 'STALE'],
})
