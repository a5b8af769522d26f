import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** An address of this installation, to which the client would have the mail lead. */
const ownLink = z.optional(wire.clearableText())
/** Roles by the uuid of a group or location; an empty one is the default of the place. */
const roleByPlace = z.optional(wire.hash(z.record(z.string(), z.string())))

export const userAdd = defineCall({
  path: 'user/add',
  once: {},
  summary:
    'Makes a login with a first password for a person who has none. It opens nothing until account/user/add has made the person a member of the account, by user_id, and the first sign-in asks for a new password (PASSWORD_RESET).',
  postOnly: true,
  on: { kind: 'account', by: ['account_id'], may: 'editUsers' },
  input: z.object({
    account_id: wire.id(),
    first: wire.text(),
    last: wire.text(),
    password: wire.anyText(),
    email: wire.anyText(),
    mobile_phone: z.optional(wire.clearableText()),
  }),
  output: z.object({ uuid: z.string(), namespace_id: z.string() }),
  errors: ['BAD_PASSWORD', 'DUPLICATE_EMAIL', 'INVALID_EMAIL', 'INVALID_FIELD'],
})

export const userInvite = defineCall({
  path: 'user/invite',
  once: {},
  takesCustomFields: true,
  summary:
    'Makes somebody a member of an account by e-mail address, as account/user/add does: a person without a login is mailed a link to choose a password, others that they belong to it. Without first and last (ours) a new person is named by the address until the profile says otherwise. groups and locations are hashes of role by place. link and link_already may only be addresses of this installation (INVALID_LINK): the mails lead to its own pages. Answers with the uuid of the person.',
  on: { kind: 'account', by: ['account_id'], may: 'inviteUsers' },
  decides: { groups: 'putUsersInGroups', locations: 'editLocations' },
  input: z.object({
    account_id: wire.id(),
    email: wire.anyText(),
    first: z.optional(wire.clearableText()),
    last: z.optional(wire.clearableText()),
    /** Without one the account's default role. */
    role_id: z.optional(wire.id()),
    groups: roleByPlace,
    locations: roleByPlace,
    link: ownLink,
    link_already: ownLink,
  }),
  output: z.object({ uuid: z.string() }),
  errors: [
    'ALREADY_EXISTS',
    'CAN_NOT_PROMOTE',
    'DUPLICATE_EMAIL',
    'INVALID_CUSTOMFIELD',
    'INVALID_EMAIL',
    'INVALID_FIELD',
    'INVALID_JSON',
    'INVALID_LINK',
    'NOT_HASH',
    'ROLE_NAMESPACE_MISMATCH',
    'ROLE_NOT_FOUND',
  ],
})

export const userWelcome = defineCall({
  path: 'user/welcome',
  once: {},
  summary:
    'Mails a person of an account again: a link to choose a password to whoever never signed in, the address of the installation to others. NOT_FOUND for an address that no person of the account has, LOCKOUT after three mails within minutes. link as of user/invite.',
  on: { kind: 'account', by: ['account_id'], may: 'inviteUsers' },
  input: z.object({ account_id: wire.id(), email: wire.anyText(), link: ownLink }),
  /** `has_smtp` (ours): 0 where no mail server is set up, and the mail waits in the outbox. */
  output: z.object({ has_smtp: z.number() }),
  errors: ['DISABLED', 'INVALID_LINK', 'LOCKOUT'],
})

export const userDelete = defineCall({
  path: 'user/delete',
  summary:
    'Takes the caller out of every account, and ends the login with all sessions and keys. What was left behind is handed over by the accounts (account/user/leavers). It takes a proof of who is asking (session/prove); NOT_PERMITTED with LAST_ADMINISTRATOR where an account would be left without one, STALE where another account has just taken the person in. With email (ours) the login of another address is not ended (INVALID_EMAIL).',
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({ email: z.optional(wire.anyText()) }),
  output: wire.statusOnly,
  errors: ['INVALID_EMAIL', 'PROOF_REQUIRED', 'STALE'],
})

export const userDeviceClear = defineCall({
  path: 'user/device/clear',
  summary: "Forgets all of the caller's devices: each has to give a second factor from then on.",
  on: { kind: 'caller' },
  input: z.object({}),
  output: wire.statusOnly,
  errors: [],
})
