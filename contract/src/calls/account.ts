import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { customField, flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

const accountObject = z.object({
  uuid: z.string(),
  name: z.string(),
  vanity: z.string(),
  namespace_id: z.string(),
  password_expire: z.number(),
  session_expire: z.number(),
  /** Assigning authority of the account's MRNs; ours. */
  issuer: z.string(),
  /** 1 where people must sign in with a second factor. */
  pin_required: flagOut,
  /** Until when supporters of the installation may sign in as its people; null when not. Ours. */
  support_until: z.nullable(z.string()),
  /** How the Organisation inbox takes studies in. */
  must_approve: flagOut,
  must_approve_upload: flagOut,
  must_approve_harvest: flagOut,
  no_share: flagOut,
  /** The share code and its settings are told to administrators alone; empty to others. */
  share_code: z.string(),
  share_description: z.string(),
  share_settings: z.record(z.string(), z.unknown()),
  role_id: z.string(),
  role_name: z.string(),
  default_role_id: z.string(),
  default_role_name: z.string(),
  settings: z.record(z.string(), z.string()),
  customfields: z.array(customField),
  permissions: z.optional(z.record(z.string(), flagOut)),
})
export type Account = z.infer<typeof accountObject>

export const accountList = defineCall({
  path: 'account/list',
  reads: true,
  summary: 'Lists the accounts that the caller belongs to.',
  on: { kind: 'caller' },
  list: {
    object: 'account',
    rowsKey: 'accounts',
    filters: {
      uuid: 'uuid',
      name: 'text',
      vanity: 'text',
      namespace_id: 'uuid',
      password_expire: 'integer',
      session_expire: 'integer',
      "settings->'enable_inbox_view'": 'virtual',
    },
    sorts: ['name', 'password_expire', 'session_expire'],
    defaultRows: 100,
    customFields: true,
  },
  input: z.object({ permissions: z.optional(wire.flag()) }),
  output: z.object({ accounts: z.array(accountObject), page: wire.page }),
  errors: ['INVALID_FLAG'],
})

/** Notices on the installation for administrators, gravest first. */
export const installationNotices = [
  'OBJECTS_NOT_WRITABLE',
  'DISK_FULL',
  'CERTIFICATE_OVER',
  'CERTIFICATE_ENDS_NOW',
  'RULE_FAILS',
  'MAILS_NOT_SENT',
  'DISK_VERY_LOW',
  'CERTIFICATE_ENDS',
  'DISK_LOW',
] as const
export type InstallationNotice = (typeof installationNotices)[number]

export const accountNotices = defineCall({
  path: 'account/notices',
  reads: true,
  summary:
    'Tells administrators what threatens the installation: a disk that fills up or cannot be written to, a certificate that ends within 30 days; and of the account routing rules that fail, and mails that the mail server does not take.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    notices: z.array(
      z.object({
        code: z.enum(installationNotices),
        /** Of the fullest disk. */
        free_bytes: z.number(),
        total_bytes: z.number(),
        /** Mails of the account that were tried and not sent; mail/outbox has the reasons. */
        failed_mails: z.number(),
        /** Routing rules of the account that fail; account/stuck names them. */
        failing_rules: z.number(),
        /** Until when the certificate of this server is valid; empty where none is shown. */
        certificate_ends: z.string(),
      }),
    ),
  }),
  errors: [],
})

/** Kinds of what is stuck, or soon will be, gravest first. */
export const stuckCodes = [
  'DATABASE_REFUSES',
  'OBJECTS_NOT_WRITABLE',
  'DISK_FULL',
  'CERTIFICATE_OVER',
  'CERTIFICATE_ENDS_NOW',
  'CLOCKS_DIFFER',
  'WORK_NOT_TAKEN',
  'AUDIT_NOT_SEALED',
  'CLOCK_WORK_FAILED',
  'DESTINATION_CERTIFICATE_OVER',
  'DESTINATION_SILENT',
  'PUSHES_FAILED',
  'WEBHOOK_FAILS',
  'RULE_FAILS',
  'MAILS_NOT_SENT',
  'DISK_VERY_LOW',
  'CERTIFICATE_ENDS',
  'DESTINATION_CERTIFICATE_ENDS',
  'DISK_LOW',
] as const
export type StuckCode = (typeof stuckCodes)[number]

export const accountStuck = defineCall({
  path: 'account/stuck',
  reads: true,
  summary:
    'Tells administrators what is stuck and since when, gravest first: in the installation its disk, certificate, database, audit seals and work by the clock; of the account destinations that do not answer or whose certificate ends, webhooks all of whose calls failed for a day, mails and pushes. Other accounts are not counted. job/list has the work of the account.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id() }),
  output: z.object({
    stuck: z.array(
      z.object({
        code: z.enum(stuckCodes),
        /** Null where it is not known. */
        since: z.nullable(z.string()),
        /** Of CLOCK_WORK_FAILED the job, of PUSHES_FAILED and those of destinations the destination, of WEBHOOK_FAILS the webhook, of RULE_FAILS the routing rule; else empty. */
        name: z.string(),
        /** Of PUSHES_FAILED and certificates of destinations; else empty. */
        destination_id: z.string(),
        /** Of RULE_FAILS the rule and its first place, by which rules of one name are told apart; else empty. */
        rule_id: z.string(),
        place_name: z.string(),
        /** How many mails, pushes, jobs, or exams of RULE_FAILS, of CLOCKS_DIFFER seconds; else 1. */
        count: z.number(),
        /** Of the fullest disk. */
        free_bytes: z.number(),
        total_bytes: z.number(),
        /** Until when the certificate of this server is valid, or that of the destination; empty where none is shown. */
        certificate_ends: z.string(),
      }),
    ),
  }),
  errors: [],
})

export const accountStuckRetry = defineCall({
  path: 'account/stuck/retry',
  summary:
    'Has work by the clock of the installation that failed run at once, before its next time, on record, job being its name. NOT_FOUND where it did not fail, or runs already.',
  ours: true,
  postOnly: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id(), job: wire.text() }),
  output: wire.statusOnly,
  errors: [],
})

export const accountStuckDismiss = defineCall({
  path: 'account/stuck/dismiss',
  summary:
    'Takes the failed pushes of the account to a destination, or the failed runs of a routing rule, off account/stuck, on record; what fails later is told again. The exams of pushes stay in the view Failed of their groups, and runs in route/runs, where route/run/again takes them.',
  ours: true,
  postOnly: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id(), destination_id: z.optional(wire.id()), rule_id: z.optional(wire.id()) }),
  output: wire.statusOnly,
  errors: [],
})

export const accountGet = defineCall({
  path: 'account/get',
  reads: true,
  summary: 'Reads an account that the caller belongs to.',
  on: { kind: 'account', by: ['uuid'], may: 'enterPlace' },
  input: z.object({
    uuid: wire.id(),
    permissions: z.optional(wire.flag()),
    brand_settings: z.optional(wire.clearableText()),
  }),
  output: accountObject,
  errors: ['INVALID_FLAG'],
})
