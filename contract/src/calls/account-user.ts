import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { customField, flagOut } from '../entities/page-fields.ts'
import { maxSessionsPerUser } from '../limits.ts'
import * as wire from '../wire.ts'

/** Limits that an account may set for one person; 0 stands for none of the person's own. */
export const personLimits = {
  session_expire: { least: 5, most: 180 },
  max_sessions: { least: 1, most: maxSessionsPerUser },
} as const
/** Most characters of a login in an account. */
export const maxAccountLogin = 100

/** How a person signs in to an account, and of which events in the account's own inbox the person is mailed. */
const signInFields = {
  /** The login below the account's own host name; empty for none. */
  account_login: z.optional(wire.clearableText()),
  session_expire: z.optional(wire.integer()),
  max_sessions: z.optional(wire.integer()),
  /** 1 asks for a new password at the next sign-in. */
  password_reset: z.optional(wire.flag()),
  /** 1 requires the second factor of this person, also where the account does not require it of all. Ours. */
  pin_demanded: z.optional(wire.flag()),
  /** 1 takes no password of this person while the account's provider of identities is on; of somebody of several accounts, or with a flag of the system, once the person has connected an identity by own wish. */
  sso_only: z.optional(wire.flag()),
  event_share: z.optional(wire.flag()),
  event_harvest: z.optional(wire.flag()),
  event_approve: z.optional(wire.flag()),
}

/** A person of an account, as its administrators see one (ENTITY-15). */
const accountUserObject = z.object({
  uuid: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  first: z.string(),
  last: z.string(),
  role_id: z.string(),
  role_name: z.string(),
  /** Disabled altogether, or in this account. */
  disabled: flagOut,
  account_login: z.string(),
  last_login: z.nullable(z.string()),
  /** Fields of this account alone: other accounts of the person have their own. */
  customfields: z.array(customField),
  /** 1 for somebody who may do more than the caller, and whom the caller therefore neither changes nor removes. Ours. */
  is_above: flagOut,
})
export type AccountUser = z.infer<typeof accountUserObject>

export const accountUserList = defineCall({
  path: 'account/user/list',
  reads: true,
  summary: 'Lists the people of an account.',
  on: { kind: 'account', by: ['uuid'], may: 'administerUsers' },
  list: {
    object: 'user',
    rowsKey: 'users',
    filters: {
      user_id: 'uuid',
      user_name: 'text',
      'user.first': 'text',
      'user.last': 'text',
      user_email: 'text',
      role_id: 'uuid',
      role_name: 'text',
      account_login: 'text',
      last_login: 'stamp',
      user_disabled: 'flag',
      disabled: 'flag',
    },
    sorts: ['user_name', 'user.first', 'user.last', 'user_email', 'last_login', 'role_name'],
    defaultRows: 100,
    customFields: true,
  },
  input: z.object({ uuid: wire.id() }),
  output: z.object({ users: z.array(accountUserObject), page: wire.page }),
  errors: [],
})

const placeWithRole = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Empty where the group's default role holds, or else the one in the account. */
  role_id: z.string(),
  role_name: z.string(),
})

export const accountUserGet = defineCall({
  path: 'account/user/get',
  reads: true,
  summary: 'Reads a person of an account, with the groups of the account; everybody may read their own entry.',
  on: { kind: 'account', by: ['uuid'], may: 'enterPlace' },
  asks: { 'another person': 'administerUsers' },
  input: z.object({ uuid: wire.id(), user_id: wire.id() }),
  output: z.extend(accountUserObject, {
    groups: z.array(placeWithRole),
    locations: z.array(placeWithRole),
    /** 1 for somebody who belongs to other accounts too, whose name and e-mail address no one account may change. */
    other_accounts: flagOut,
    /** 1 for somebody whose sign-in asks for a second factor. */
    pin_required: flagOut,
    /** 1 where the account requires the second factor of this person. Ours. */
    pin_demanded: flagOut,
    /** 1 where the account asks for its provider of identities alone of this person, whatever holds for others. */
    sso_only: flagOut,
    session_expire: z.number(),
    max_sessions: z.number(),
    password_reset: flagOut,
    event_share: flagOut,
    event_harvest: flagOut,
    event_approve: flagOut,
  }),
  errors: ['USER_NOT_FOUND'],
})

/** Groups of the account, each with a role there, or without one for the group's default. */
const groupChoice = z.array(z.object({ uuid: z.string(), role_id: z.optional(z.string()) }))
export type GroupChoice = z.infer<typeof groupChoice>

export const accountUserAdd = defineCall({
  path: 'account/user/add',
  once: {},
  takesCustomFields: true,
  summary:
    'Makes somebody a member of an account. A person who is not known yet is made with first and last, and is mailed a link to choose a password. Values of custom fields are sent as customfield-{uuid}.',
  on: { kind: 'account', by: ['uuid'], may: 'editUsers' },
  decides: { groups: 'putUsersInGroups' },
  input: z.object({
    uuid: wire.id(),
    email: z.optional(wire.anyText()),
    user_id: z.optional(wire.id()),
    first: z.optional(wire.clearableText()),
    last: z.optional(wire.clearableText()),
    /** Without one the account's default role. */
    role_id: z.optional(wire.id()),
    groups: z.optional(wire.json(groupChoice)),
    ...signInFields,
  }),
  output: z.object({
    uuid: z.string(),
    /** 1 when the person was made and mailed a link; 0 for somebody who had a login already. */
    invited: flagOut,
    /** 0 where no mail server is set, so that the mail waits in the outbox. Ours. */
    has_smtp: flagOut,
  }),
  errors: [
    'ALREADY_EXISTS',
    'CAN_NOT_PROMOTE',
    'DUPLICATE_EMAIL',
    'DUPLICATE_NAME',
    'INVALID_CUSTOMFIELD',
    'INVALID_EMAIL',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_JSON',
    'ROLE_NAMESPACE_MISMATCH',
    'ROLE_NOT_FOUND',
    'USER_NOT_FOUND',
  ],
})

export const accountUserSet = defineCall({
  path: 'account/user/set',
  takesCustomFields: true,
  summary:
    'Changes a person of an account: role, groups of the account, name and e-mail address, login below the account’s host name (DUPLICATE_NAME where another person has it), idle minutes and number of sessions, a new password at the next sign-in, whether the second factor is required of the person, or the account’s provider of identities, values of custom fields as customfield-{uuid}, and mails about the account’s own inbox. All of it is changed, or nothing. With seen, fields as they were read, customfield-{uuid} among them, a change by somebody else meanwhile answers STALE.',
  on: { kind: 'account', by: ['uuid'], may: 'editUsers' },
  decides: { groups: 'putUsersInGroups' },
  input: z.object({
    uuid: wire.id(),
    user_id: wire.id(),
    role_id: z.optional(wire.id()),
    first: z.optional(wire.text()),
    last: z.optional(wire.text()),
    /** Somebody who has not signed in yet is invited again, at the new address. */
    email: z.optional(wire.anyText()),
    /** All groups of the account that the person is to belong to. */
    groups: z.optional(wire.json(groupChoice)),
    ...signInFields,
    seen: wire.seen(),
  }),
  output: wire.statusOnly,
  errors: [
    'CAN_NOT_PROMOTE',
    'DUPLICATE_EMAIL',
    'DUPLICATE_NAME',
    'INVALID_CUSTOMFIELD',
    'INVALID_EMAIL',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_JSON',
    'PROOF_REQUIRED',
    'ROLE_NAMESPACE_MISMATCH',
    'ROLE_NOT_FOUND',
    'STALE',
    'USER_NOT_FOUND',
  ],
})

export const accountUserDelete = defineCall({
  path: 'account/user/delete',
  summary:
    'Takes a person out of an account and all of its groups. Somebody who belongs to no other account cannot sign in any more.',
  on: { kind: 'account', by: ['uuid'], may: 'editUsers' },
  input: z.object({ uuid: wire.id(), user_id: wire.id() }),
  output: wire.statusOnly,
  errors: ['USER_NOT_FOUND'],
})

export const userEnable = defineCall({
  path: 'user/enable',
  summary:
    'Disables a person (disable=1) or enables one again: altogether where the caller administers every account of the person, else in the accounts of both.',
  on: { kind: 'user', by: ['uuid'], may: 'editUsers' },
  input: z.object({ uuid: wire.id(), disable: z.optional(wire.flag()) }),
  output: wire.statusOnly,
  errors: ['NOT_DISABLED', 'INVALID_FLAG'],
})
