import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { permissions } from '../permissions.ts'
import * as wire from '../wire.ts'
import { userFields } from '../entities/user.ts'

export const sessionLogin = defineCall({
  path: 'session/login',
  summary: 'Signs a user in and gives the session token.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({
    login: wire.anyText(),
    password: wire.anyText(),
    vanity: z.optional(wire.clearableText()),
    new_password: z.optional(wire.clearableAnyText()),
    /** Ours: the reply's sid is then a short token, and the session's own lies in the cookie alone. */
    short: z.optional(wire.flag()),
  }),
  output: z.object({
    sid: z.string(),
    uuid: z.string(),
    name: z.string(),
    training_todo: z.number(),
    /** 1: the session opens nothing before session/pin. */
    pin_required: z.number(),
    /** With pin_required: `totp` for a code of an authenticator app, `setup` where one must be set up first. */
    pin_via: z.optional(z.string()),
    sign_required: z.number(),
    is_proxy: z.number(),
    terms_md5: z.string(),
    privacy_md5: z.string(),
    indicator_md5: z.string(),
    session_id: z.string(),
    /** Seconds that a short token lives. */
    expires_in: z.optional(z.number()),
  }),
  errors: ['INVALID_FLAG', 'INVALID_CREDENTIALS', 'LOCKOUT', 'BAD_PASSWORD', 'PASSWORD_RESET', 'DISABLED', 'SSO_ONLY'],
})

export const sessionToken = defineCall({
  path: 'session/token',
  summary:
    'Gives a page of this host a short token for the session of its cookie, to be held in memory. Not for other programs: they have the sid.',
  ours: true,
  postOnly: true,
  // the cookie says who asks, and no other call reads it
  on: { kind: 'anyone' },
  input: z.object({}),
  output: z.object({
    sid: z.string(),
    session_id: z.string(),
    uuid: z.string(),
    /** Seconds that the token lives. */
    expires_in: z.number(),
  }),
  errors: ['EXPIRED'],
})

export const sessionUser = defineCall({
  path: 'session/user',
  reads: true,
  summary: 'Tells who the caller is and when the session ends.',
  on: { kind: 'caller' },
  input: z.object({ settings: z.optional(wire.json(z.array(z.string()))) }),
  output: z.object({
    ...userFields.shape,
    namespaces: z.array(z.object({ uuid: z.string(), name: z.string() })),
    sid_md5: z.string(),
    /** The account in which the login was made (ours): where the person begins who chose none. */
    home_account_id: z.string(),
    /** Minutes of idleness after which the session ends. */
    session_expire: z.number(),
    accelerator_used: z.number(),
    /** 1 while a supporter is signed in as the user; the supporter's name and the only account besides (ours). */
    is_proxy: z.number(),
    proxy_name: z.optional(z.string()),
    settings: z.optional(z.record(z.string(), z.string())),
  }),
  errors: ['INVALID_JSON'],
})

export const sessionPermissions = defineCall({
  path: 'session/permissions',
  reads: true,
  summary: "Gives the caller's permission flags in an account or a namespace, at the top level of the reply.",
  on: { kind: 'caller' },
  input: z.object({ account_id: z.optional(wire.id()), namespace_id: z.optional(wire.id()) }),
  output: z.looseObject({ role_id: z.string() }),
  errors: [],
})

export const sessionTtl = defineCall({
  path: 'session/ttl',
  reads: true,
  summary: 'Tells how many minutes the session has left, without extending it.',
  // a dead session is answered EXPIRED here and not 401, so the handler reads the sid itself
  on: { kind: 'anyone' },
  input: z.object({ sid: z.optional(wire.clearableText()) }),
  output: z.object({ ttl: z.number() }),
  errors: ['EXPIRED'],
})

export const sessionLogout = defineCall({
  path: 'session/logout',
  summary: 'Ends the session and all sessions derived from it.',
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({
    /** Where the browser signs out at the provider that it signed in by, if the provider offers that. */
    logout_url: z.optional(z.string()),
  }),
  errors: [],
})

export const sessionUuid = defineCall({
  path: 'session/uuid',
  reads: true,
  summary: 'Makes a new uuid.',
  on: { kind: 'anyone' },
  input: z.object({}),
  output: z.object({ uuid: z.string() }),
  errors: [],
})

export const sessionDerive = defineCall({
  path: 'session/derive',
  summary: "Gives a read-only session for the named studies that may stand in an address; it dies with the caller's.",
  ours: true,
  on: { kind: 'caller' },
  asks: { 'each study': 'viewStudy' },
  input: z.object({ studies: wire.naming(wire.json(z.array(z.string()).check(z.minLength(1), z.maxLength(1000)))) }),
  output: z.object({ sid: z.string(), expires: z.string() }),
  errors: ['INVALID_JSON'],
})

/** An open session of the caller, as the caller is shown it. */
const openedSession = z.object({
  session_id: z.string(),
  /** 1 for the session that asks. */
  is_current: z.number(),
  created: z.string(),
  last_used: z.string(),
  /** When it ends unless it is used, and at the latest. */
  expires: z.string(),
  client_address: z.string(),
  user_agent: z.string(),
  /** How it was opened: `password` or `sso` on a screen; `basic` or `oauth` by a program. */
  method: z.string(),
})
export type OpenSession = z.infer<typeof openedSession>

export const sessionList = defineCall({
  path: 'session/list',
  reads: true,
  summary:
    "Lists the caller's own open sessions, the one that asks first. At most ten on screens and ten of programs are open at once.",
  ours: true,
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({ sessions: z.array(openedSession) }),
  errors: [],
})

export const sessionEnd = defineCall({
  path: 'session/end',
  summary:
    "Ends one of the caller's own sessions, or with `others` all but the one that asks, and what they have open.",
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({ session_id: z.optional(wire.id()), others: z.optional(wire.flag()) }),
  output: z.object({ ended: z.number() }),
  errors: ['INVALID_FLAG'],
})

export const sessionOauthToken = defineCall({
  path: 'session/oauth/token',
  summary:
    'Gives a program a token for a login (client_id) and password (client_secret), to be sent as a bearer token.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({
    grant_type: wire.text(),
    client_id: wire.text(),
    client_secret: wire.text(),
    /** Seconds that the token lives: 3600 unless said, from 60 to 86400. */
    duration: z.optional(wire.integer()),
  }),
  output: z.object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.number(),
    created_at: z.string(),
  }),
  errors: ['INVALID_INTEGER', 'LOCKOUT', 'AUTH_FAILED'],
})

/** Keys that one person may have at once. */
export const maxKeysPerUser = 20

export const sessionKeyAdd = defineCall({
  path: 'session/key/add',
  summary:
    "Makes a key with which a program acts in the caller's name, as a bearer token or as the password of HTTP basic. It uses of the caller's permissions those that are named, everywhere or in one place, changes nothing of the caller, and is told this once.",
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({
    name: wire.text(),
    permissions: wire.json(z.array(z.enum(permissions)).check(z.minLength(1))),
    /** Days until it ends: 90 unless said, 366 at most. */
    days: z.optional(wire.integer()),
    /** The one place that the key is for; without it all of the caller's. */
    namespace_id: z.optional(wire.id()),
  }),
  output: z.object({ uuid: z.string(), key: z.string(), expires: z.string() }),
  errors: [
    'INVALID_FIELD',
    'INVALID_INTEGER',
    'INVALID_JSON',
    'NAMESPACE_NOT_FOUND',
    'PROOF_REQUIRED',
    'TOO_MANY_KEYS',
  ],
})

export const sessionKeyList = defineCall({
  path: 'session/key/list',
  reads: true,
  summary: "Lists the caller's own keys that have not ended, the newest first; never the keys themselves.",
  ours: true,
  on: { kind: 'caller' },
  input: z.object({}),
  output: z.object({
    keys: z.array(
      z.object({
        uuid: z.string(),
        name: z.string(),
        permissions: z.array(z.string()),
        /** The one place that it is for, and its name; empty for all. */
        namespace_id: z.string(),
        namespace_name: z.string(),
        created: z.string(),
        /** To the minute; empty when it was not used after its first minute. */
        last_used: z.string(),
        expires: z.string(),
        /** From where it was made. */
        client_address: z.string(),
      }),
    ),
  }),
  errors: [],
})

export const sessionKeyEnd = defineCall({
  path: 'session/key/end',
  summary: "Ends one of the caller's own keys at once, and what it has open.",
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: [],
})
