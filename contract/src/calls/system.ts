import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { accountAuditEvent, auditFilters } from './audit.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/** Most characters of the reason for which a supporter signs in as somebody else. */
export const maxProxyReason = 300
/** Hours for which an account may let supporters in at a time. */
export const mostSupportHours = 30 * 24

export const accountAdd = defineCall({
  path: 'account/add',
  once: {},
  summary:
    'Makes an account with its roles. The caller becomes an administrator of it, or with administrator_email (ours) the person who has that address, who is invited where there is no login yet.',
  on: { kind: 'system', flag: 'sysadmin' },
  input: z.object({
    name: wire.text(),
    /** Ours: assigning authority of the account's MRNs; without one it is made from the name. */
    issuer: z.optional(wire.text()),
    administrator_email: z.optional(wire.anyText()),
    administrator_first: z.optional(wire.clearableText()),
    administrator_last: z.optional(wire.clearableText()),
  }),
  output: z.object({
    uuid: z.string(),
    namespace_id: z.string(),
    /** 1 when an administrator was made and mailed a link. */
    invited: flagOut,
  }),
  errors: ['DUPLICATE_NAME', 'DUPLICATE_EMAIL', 'INVALID_EMAIL', 'INVALID_FIELD'],
})

/** An account as people see it who look after the installation. */
const systemAccount = z.object({
  uuid: z.string(),
  name: z.string(),
  created: z.string(),
  user_count: z.number(),
  group_count: z.number(),
  /** Whether there is a study in any of its places, be it in the bin. */
  has_studies: flagOut,
  /** The first three people who hold all that an administrator does. */
  administrators: z.array(z.object({ name: z.string(), email: z.string() })),
  /** Until when supporters may sign in as its people; null when not. */
  support_until: z.nullable(z.string()),
})
export type SystemAccount = z.infer<typeof systemAccount>

export const systemAccountList = defineCall({
  path: 'system/account/list',
  reads: true,
  summary: 'Lists all accounts of the installation, for people who look after it.',
  ours: true,
  on: { kind: 'system', flag: 'support' },
  list: {
    object: 'account',
    rowsKey: 'accounts',
    filters: { uuid: 'uuid', name: 'text', created: 'stamp' },
    sorts: ['name', 'created'],
    defaultRows: 100,
  },
  input: z.object({}),
  output: z.object({ accounts: z.array(systemAccount), page: wire.page }),
  errors: [],
})

const closedAccount = z.object({
  uuid: z.string(),
  /** With the day of its end and the first figures of its uuid, since the name itself is free again. */
  name: z.string(),
  closed: z.string(),
})
export type ClosedAccount = z.infer<typeof closedAccount>

export const systemAccountClosed = defineCall({
  path: 'system/account/closed',
  reads: true,
  summary: 'Lists the closed accounts of the installation, whose audit is kept.',
  ours: true,
  on: { kind: 'system', flag: 'sysadmin' },
  list: {
    object: 'account',
    rowsKey: 'accounts',
    filters: { uuid: 'uuid', name: 'text', closed: 'stamp' },
    sorts: ['closed', 'name'],
    defaultRows: 100,
  },
  input: z.object({}),
  output: z.object({ accounts: z.array(closedAccount), page: wire.page }),
  errors: [],
})

export const systemAccountAudit = defineCall({
  path: 'system/account/audit',
  reads: true,
  postOnly: true,
  summary:
    'Lists what happened in a closed account, newest first, to somebody who answers for it now that nobody belongs to it. The first look of a session is put on record there. The audit of an open account is read by its own people alone.',
  ours: true,
  on: { kind: 'system', flag: 'sysadmin' },
  list: { object: 'event', rowsKey: 'events', filters: auditFilters, sorts: [], defaultRows: 100 },
  input: z.object({ account_id: wire.id() }),
  output: z.object({ events: z.array(accountAuditEvent), page: wire.page }),
  errors: [],
})

const systemPerson = z.object({
  uuid: z.string(),
  name: z.string(),
  email: z.string(),
  sysadmin: flagOut,
  support: flagOut,
  disabled: flagOut,
})
export type SystemPerson = z.infer<typeof systemPerson>

export const systemUserList = defineCall({
  path: 'system/user/list',
  reads: true,
  summary: 'Lists the system administrators and supporters of the installation.',
  ours: true,
  on: { kind: 'system', flag: 'support' },
  input: z.object({}),
  output: z.object({ users: z.array(systemPerson) }),
  errors: [],
})

export const systemUserSet = defineCall({
  path: 'system/user/set',
  summary:
    'Gives a person the flags sysadmin and support, or takes them back. Nobody changes their own, and one system administrator always remains. It takes a proof of who is asking (session/prove).',
  postOnly: true,
  ours: true,
  on: { kind: 'system', flag: 'sysadmin' },
  input: z.object({ email: wire.anyText(), sysadmin: z.optional(wire.flag()), support: z.optional(wire.flag()) }),
  output: wire.statusOnly,
  errors: ['CAN_NOT_PROMOTE', 'PROOF_REQUIRED', 'USER_NOT_FOUND'],
})

export const systemAccountUsers = defineCall({
  path: 'system/account/users',
  reads: true,
  summary:
    'Lists the people of an account as whom a supporter may sign in: only while the account lets supporters in. At most 50; search narrows by name and e-mail address.',
  ours: true,
  on: { kind: 'system', flag: 'support' },
  input: z.object({ account_id: wire.id(), search: z.optional(wire.clearableAnyText()) }),
  output: z.object({
    users: z.array(z.object({ uuid: z.string(), name: z.string(), email: z.string(), role_name: z.string() })),
    more: flagOut,
  }),
  errors: [],
})

export const sessionProxy = defineCall({
  path: 'session/proxy',
  summary: `Signs a supporter in as a person of an account that lets supporters in. The session reaches that account alone, changes nothing of the person's own and nobody's logins, lasts an hour at most, and ends with the account's consent. The reason, of at most ${maxProxyReason} characters, stands in the account's audit; so does the supporter's name in every row that the session writes. It takes a proof of who is asking (session/prove). In a browser the caller's own session ends.`,
  postOnly: true,
  ours: true,
  on: { kind: 'system', flag: 'support' },
  input: z.object({
    account_id: wire.id(),
    user_id: wire.id(),
    reason: wire.text(),
    /** As of session/login. */
    short: z.optional(wire.flag()),
  }),
  output: z.object({
    sid: z.string(),
    session_id: z.string(),
    uuid: z.string(),
    name: z.string(),
    is_proxy: flagOut,
    expires_in: z.optional(z.number()),
  }),
  errors: ['INVALID_FIELD', 'INVALID_FLAG', 'PROOF_REQUIRED', 'USER_NOT_FOUND'],
})
