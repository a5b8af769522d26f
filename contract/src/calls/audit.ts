import * as z from 'zod/mini'
import { auditKinds } from '../audit-acts.ts'
import { defineCall } from '../call.ts'
import type { FieldKind } from '../list.ts'
import * as wire from '../wire.ts'

/** One line of a history (ENTITY-11). detail of EDIT is `{field: [old, new]}`. */
const auditEvent = z.object({
  uuid: z.string(),
  action: z.string(),
  type: z.string(),
  what: z.string(),
  who: z.string(),
  proxy: z.string(),
  when: z.string(),
  detail: z.unknown(),
  with: z.string(),
  client_address: z.string(),
  /** The kind of actor: `user`, `key`, `link`, `node` or `system`; empty in rows of before these were told apart. Ours. */
  actor_kind: z.string(),
})
export type AuditEvent = z.infer<typeof auditEvent>

export const auditObject = defineCall({
  path: 'audit/object',
  reads: true,
  summary: 'Lists what happened to a study, newest first; reverse=1 flips the order.',
  on: { kind: 'study', by: ['uuid'], may: 'seeHistory', deletedToo: true },
  list: {
    object: 'event',
    rowsKey: 'events',
    filters: { action: 'exact', type: 'exact', when: 'stamp' },
    sorts: [],
    defaultRows: 100,
  },
  input: z.object({
    uuid: wire.id(),
    reverse: z.optional(wire.flag()),
    /** 1 makes a CSV of all that the filters find besides, which report/zip hands out. */
    download: z.optional(wire.flag()),
  }),
  output: z.object({ events: z.array(auditEvent), page: wire.page, report_id: z.optional(z.string()) }),
  errors: ['INVALID_FLAG', 'LOCKOUT', 'REPORT_ERROR'],
})

/** The exam that an event was about. */
export const auditedStudy = z.object({
  uuid: z.string(),
  patient_name: z.string(),
  patientid: z.string(),
  issuer: z.string(),
  patient_birth_date: z.string(),
  accession_number: z.string(),
  study_description: z.string(),
  study_date: z.string(),
  modality: z.string(),
})

/** An event of an account's audit: what was done to what, with names where they are known. */
export const accountAuditEvent = z.extend(auditEvent, {
  /** Of the person who acted, also by a program with a key, or of the link; empty for nodes and the installation. Ours. */
  actor_id: z.string(),
  /** Name of the person, group, role or other thing that the act was done to. */
  object_name: z.string(),
  /** Names of the people, groups, roles and other things of the account whose ids stand in `detail`, by id. Ours. */
  names: z.record(z.string(), z.string()),
  study: z.nullable(auditedStudy),
})
export type AccountAuditEvent = z.infer<typeof accountAuditEvent>

/** Fields that the audit of an account is filtered by; `study` looks in names, MRNs and accession numbers of exams. */
export const auditFilters = {
  who: 'text',
  user_id: 'uuid',
  action: 'exact',
  type: 'exact',
  when: 'stamp',
  study_id: 'uuid',
  study: 'virtual',
} as const satisfies Record<string, FieldKind>

export const auditAccount = defineCall({
  path: 'audit/account',
  reads: true,
  summary:
    'Lists what happened in an account, newest first; reverse=1 flips the order. filter.study looks in names, MRNs and accession numbers of exams.',
  on: { kind: 'account', by: ['account_id'], may: 'seeAudit' },
  list: { object: 'event', rowsKey: 'events', filters: auditFilters, sorts: [], defaultRows: 100 },
  input: z.object({
    account_id: wire.id(),
    reverse: z.optional(wire.flag()),
    /** 1 makes a CSV of all that the filters find besides, which report/zip hands out. */
    download: z.optional(wire.flag()),
  }),
  output: z.object({ events: z.array(accountAuditEvent), page: wire.page, report_id: z.optional(z.string()) }),
  errors: ['INVALID_FLAG', 'LOCKOUT', 'REPORT_ERROR'],
})

export const auditUser = defineCall({
  path: 'audit/user',
  reads: true,
  summary:
    'Lists what a person did in an account, newest first; reverse=1 flips the order. People who have left the account are found as well.',
  on: { kind: 'account', by: ['account_id'], may: 'seeAudit' },
  list: {
    object: 'event',
    rowsKey: 'events',
    filters: { action: 'exact', type: 'exact', when: 'stamp', study_id: 'uuid', study: 'virtual' },
    sorts: [],
    defaultRows: 100,
  },
  input: z.object({
    account_id: wire.id(),
    user_id: wire.id(),
    reverse: z.optional(wire.flag()),
    /** Fields that `study` of an event has, as JSON; all of them unless said. */
    study_fields: z.optional(wire.textList()),
    /** 1 makes a CSV of all that the filters find besides, which report/zip hands out. */
    download: z.optional(wire.flag()),
  }),
  output: z.object({
    events: z.array(z.extend(accountAuditEvent, { study: z.nullable(z.partial(auditedStudy)) })),
    page: wire.page,
    report_id: z.optional(z.string()),
  }),
  errors: ['INVALID_FIELD', 'INVALID_FLAG', 'INVALID_JSON', 'LOCKOUT', 'REPORT_ERROR'],
})

export const auditDeleted = defineCall({
  path: 'audit/deleted',
  reads: true,
  summary:
    'Lists what was deleted in an account, newest first, of one kind of thing: type is a kind of the audit, such as Group, Role or Study.',
  on: { kind: 'account', by: ['account_id'], may: 'seeAudit' },
  list: { object: 'object', rowsKey: 'objects', filters: {}, sorts: [], defaultRows: 100 },
  input: z.object({ account_id: wire.id(), type: wire.oneOf(auditKinds, 'INVALID_TYPE') }),
  output: z.object({
    objects: z.array(
      z.object({
        /** Of the thing that was deleted. */
        uuid: z.string(),
        who: z.string(),
        proxy: z.string(),
        when: z.string(),
        client_address: z.string(),
      }),
    ),
    page: wire.page,
  }),
  errors: ['INVALID_TYPE'],
})

export const auditPatient = defineCall({
  path: 'audit/patient',
  reads: true,
  postOnly: true,
  summary:
    'Lists what happened to the exams of one patient in an account, newest first: who saw them, and who changed or gave them away. Exams are those that have this MRN now or had it before a correction, deleted ones among them. The first page is put on record.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeAudit' },
  list: {
    object: 'event',
    rowsKey: 'events',
    filters: { action: 'exact', when: 'stamp' },
    sorts: [],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id(), patientid: wire.anyText(), issuer: z.optional(wire.clearableAnyText()) }),
  output: z.object({
    /** Patients who have the MRN; several where issuers share it. */
    patients: z.array(
      z.object({
        issuer: z.string(),
        patient_name: z.string(),
        patient_birth_date: z.string(),
        study_count: z.number(),
      }),
    ),
    /** Patients under whom exams stand now that had the MRN before a correction. */
    earlier: z.array(
      z.object({
        /** The MRN that the exams have now. */
        patientid: z.string(),
        issuer: z.string(),
        patient_name: z.string(),
        patient_birth_date: z.string(),
        study_count: z.number(),
      }),
    ),
    events: z.array(accountAuditEvent),
    page: wire.page,
  }),
  errors: [],
})

/** The latest check of an account's audit against its seals. */
const checkOutput = z.object({
  /** `none` before the first check. */
  state: z.enum(['none', 'running', 'done', 'failed']),
  who: z.string(),
  begun: z.string(),
  ended: z.string(),
  /** While it runs: rows read, of those to read, each twice; 0 until they are counted. */
  rows_done: z.number(),
  rows_total: z.number(),
  rows: z.number(),
  /** New rows, which wait for their seal. */
  unsealed: z.number(),
  /** How many faults there are; the first hundred are listed. */
  fault_count: z.number(),
  faults: z.array(z.object({ kind: z.string(), what: z.string() })),
  /** Number and digest of the last seal; 0 and empty before the first. */
  seal_number: z.number(),
  seal_digest: z.string(),
})

export const auditCheck = defineCall({
  path: 'audit/check',
  postOnly: true,
  summary:
    "Begins to hold the rows of an account's audit against their seals, unless that is under way, and answers how far it is; audit/check/get has what came of it.",
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeAudit' },
  input: z.object({ account_id: wire.id() }),
  output: checkOutput,
  errors: [],
})

export const auditCheckGet = defineCall({
  path: 'audit/check/get',
  reads: true,
  summary:
    "Tells how far the check of an account's audit against its seals is, or what came of the latest one: what does not agree.",
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeAudit' },
  input: z.object({ account_id: wire.id() }),
  output: checkOutput,
  errors: [],
})

export const auditRefused = defineCall({
  path: 'audit/refused',
  reads: true,
  summary:
    "Lists who was refused the account's things, for its administrators and auditors: a line for each hour, person, supporter signed in as a person, program with a person's key, address or DICOM sender, act and kind of thing, the latest first. filter.asker.like looks in names, also those of supporters, AE titles and addresses. Kept for 180 days.",
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'seeRefusedAccess' },
  list: {
    object: 'refusal',
    rowsKey: 'refusals',
    filters: { asker: 'text', act: 'exact', last: 'stamp' },
    sorts: ['asker', 'act', 'count', 'last'],
    defaultRows: 100,
  },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    refusals: z.array(
      z.object({
        /** Empty without a session; `client_address` tells the lines apart then. */
        user_id: z.string(),
        user_name: z.string(),
        /** Of a DICOM sender: the calling AE title; empty otherwise. */
        ae_title: z.string(),
        /** Whether the person belongs to the account. */
        is_member: z.number(),
        /** The path of the call, or the door: `storage`, `dicomweb`, `channel`; of a DICOM sender `C-STORE`, `C-FIND`, `C-MOVE`, `C-GET`, `C-ECHO` or `DICOM`, of a sender of orders `HL7`. */
        act: z.string(),
        /** The kind of thing that was asked for: Study, Order, Namespace, Group, User, Account; Title for an AE title that nothing has. */
        kind: z.string(),
        count: z.number(),
        first: z.string(),
        last: z.string(),
        last_object: z.string(),
        /** The last one; empty where further addresses of an hour became one line. */
        client_address: z.string(),
        /** The supporter who was signed in as the person. */
        proxy: z.string(),
        /** Whether a program asked with a key of the person. */
        is_by_key: z.number(),
      }),
    ),
    page: wire.page,
  }),
  errors: [],
})
