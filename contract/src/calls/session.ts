import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'
import { userFields } from '../entities/user.ts'

export const sessionLogin = defineCall({
  path: 'session/login',
  summary: 'Signs a user in and gives the session token.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({
    login: wire.text(),
    password: wire.text(),
    vanity: z.optional(wire.clearableText()),
    new_password: z.optional(wire.clearableText()),
  }),
  output: z.object({
    sid: z.string(),
    uuid: z.string(),
    name: z.string(),
    training_todo: z.number(),
    pin_required: z.number(),
    sign_required: z.number(),
    is_proxy: z.number(),
    terms_md5: z.string(),
    privacy_md5: z.string(),
    indicator_md5: z.string(),
  }),
  errors: ['INVALID_CREDENTIALS', 'LOCKOUT', 'BAD_PASSWORD', 'PASSWORD_RESET', 'DISABLED'],
})

export const sessionUser = defineCall({
  path: 'session/user',
  summary: 'Tells who the caller is and when the session ends.',
  on: { kind: 'caller' },
  input: z.object({ settings: z.optional(wire.json(z.array(z.string()))) }),
  output: z.object({
    ...userFields.shape,
    namespaces: z.array(z.object({ uuid: z.string(), name: z.string() })),
    sid_md5: z.string(),
    /** Minutes of idleness after which the session ends. */
    session_expire: z.number(),
    accelerator_used: z.number(),
    settings: z.optional(z.record(z.string(), z.string())),
  }),
  errors: ['INVALID_JSON'],
})

export const sessionPermissions = defineCall({
  path: 'session/permissions',
  summary: "Gives the caller's permission flags in an account or a namespace, at the top level of the reply.",
  on: { kind: 'caller' },
  input: z.object({ account_id: z.optional(wire.id()), namespace_id: z.optional(wire.id()) }),
  output: z.looseObject({ role_id: z.string() }),
  errors: [],
})

export const sessionTtl = defineCall({
  path: 'session/ttl',
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
  output: wire.statusOnly,
  errors: [],
})

export const sessionUuid = defineCall({
  path: 'session/uuid',
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
  input: z.object({ studies: wire.json(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))) }),
  output: z.object({ sid: z.string(), expires: z.string() }),
  errors: ['INVALID_JSON'],
})
