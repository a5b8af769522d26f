import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { inboxConfig } from '../inbox-config.ts'
import { userFields } from '../entities/user.ts'
import * as wire from '../wire.ts'

export const userGet = defineCall({
  path: 'user/get',
  reads: true,
  summary: 'Reads the caller, or another user of an account that the caller may view users of.',
  on: { kind: 'caller' },
  asks: { 'another person': 'administerUsers' },
  input: z.object({ uuid: z.optional(wire.id()), account_id: z.optional(wire.id()) }),
  output: userFields,
  errors: [],
})

export const userSet = defineCall({
  path: 'user/set',
  summary:
    "Changes the caller's own profile or password. With uuid and account_id of somebody else, and pin_required alone, an administrator of the account requires the second factor of that person, or no longer.",
  postOnly: true,
  on: { kind: 'caller' },
  asks: { 'pin_required of another person': 'editUsers' },
  input: z.object({
    uuid: z.optional(wire.id()),
    account_id: z.optional(wire.id()),
    /** Stays as it is: a profile may be sent back whole, another address is refused. */
    email: z.optional(wire.clearableAnyText()),
    first: z.optional(wire.text()),
    last: z.optional(wire.text()),
    mobile_phone: z.optional(wire.clearableText()),
    share_code: z.optional(wire.clearableText()),
    share_description: z.optional(wire.clearableText()),
    time_zone: z.optional(wire.clearableText()),
    ui_json: z.optional(wire.json(z.unknown())),
    /** MD5 of the texts that the user agreed to. */
    terms_md5: z.optional(wire.clearableText()),
    privacy_md5: z.optional(wire.clearableText()),
    indicator_md5: z.optional(wire.clearableText()),
    /** Of somebody else: the account requires a second factor at the person's next sign-in. */
    pin_required: z.optional(wire.flag()),
    old_password: z.optional(wire.clearableAnyText()),
    password: z.optional(wire.clearableAnyText()),
    password_confirm: z.optional(wire.clearableAnyText()),
  }),
  output: z.looseObject({ message: z.optional(z.string()) }),
  errors: [
    'BAD_PASSWORD',
    'INVALID_PASSWORD',
    'LOCKOUT',
    'INVALID_TIME_ZONE',
    'INVALID_JSON',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'PROOF_REQUIRED',
  ],
})

export const userPasswordLost = defineCall({
  path: 'user/password/lost',
  summary: 'Mails a link to set a new password, if there is a user with this e-mail address.',
  on: { kind: 'anyone' },
  input: z.object({ email: wire.anyText() }),
  /** `has_smtp` (ours): 0 where no mail server is set up, and no mail leaves, whoever has this address. */
  output: z.object({ has_smtp: z.number() }),
  errors: ['LOCKOUT'],
})

export const userPasswordReset = defineCall({
  path: 'user/password/reset',
  summary: 'Sets a new password with the token of a mailed link.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({ token: wire.text(), password: wire.anyText() }),
  output: wire.statusOnly,
  errors: ['INVALID_TOKEN', 'BAD_PASSWORD', 'LOCKOUT'],
})

export const userPasswordResetCheck = defineCall({
  path: 'user/password/reset/check',
  reads: true,
  summary: 'Tells whether a mailed link still works, without using it up.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({ token: wire.text() }),
  output: wire.statusOnly,
  errors: ['INVALID_TOKEN', 'LOCKOUT'],
  ours: true,
})

/** A namespace that the caller belongs to, with what is needed to draw it in the navigation (ENTITY-05). */
export const userNamespace = z.object({
  uuid: z.string(),
  name: z.string(),
  type: z.enum(['account_id', 'group_id', 'location_id', 'user_id']),
  type_uuid: z.string(),
  account_id: z.string(),
  role_id: z.string(),
  permissions: z.record(z.string(), z.number()),
  settings: z.looseObject({ inbox_config: z.optional(inboxConfig) }),
  destinations: z.array(z.object({ uuid: z.string(), name: z.string() })),
  events: z.record(z.string(), z.number()),
  share_code: z.string(),
  study_count: z.number(),
  thin_study_count: z.number(),
})
export type UserNamespace = z.infer<typeof userNamespace>

export const userNamespaceList = defineCall({
  path: 'user/namespace/list',
  reads: true,
  summary: 'Lists the namespaces that the caller belongs to, with permissions and settings of each.',
  on: { kind: 'caller' },
  input: z.object({
    account_id: z.optional(wire.id()),
    plus_phr: z.optional(wire.flag()),
    name_and_id_only: z.optional(wire.flag()),
  }),
  output: z.object({ namespaces: z.array(userNamespace) }),
  errors: ['INVALID_FLAG'],
})
