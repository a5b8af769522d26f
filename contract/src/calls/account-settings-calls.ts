import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'
import { settingsHash } from './place-fields.ts'

/** Names of settings, as a JSON list or with commas between them. */
const names = z.optional(wire.clearableText())

export const accountSettingsRead = defineCall({
  path: 'account/settings',
  reads: true,
  summary:
    'Reads settings of an account as they hold for the caller: those of the account, of the caller’s role, of the namespace that is named and of the caller, the later ones first. settings names some of them; without it all are given but those of the brand, which brand_settings names without brand_. Without a session the account is named by vanity, and only settings for the pages before the sign-in are given.',
  on: { kind: 'anyone' },
  input: z.object({
    account_id: z.optional(wire.id()),
    vanity: z.optional(wire.clearableText()),
    namespace_id: z.optional(wire.id()),
    settings: names,
    brand_settings: names,
  }),
  output: z.object({ settings: z.record(z.string(), z.string()) }),
  errors: ['INVALID_SETTING'],
})

export const accountSettingsValidate = defineCall({
  path: 'account/settings/validate',
  reads: true,
  summary:
    'Tells whether account/set would take these settings, as settings or setting_{name}, and changes nothing. error_subtype names the setting that it would not take.',
  takesSettings: true,
  on: { kind: 'account', by: ['uuid'], may: 'administerAccount' },
  input: z.object({ uuid: wire.id(), settings: z.optional(settingsHash) }),
  output: wire.statusOnly,
  errors: ['INVALID_JSON', 'INVALID_SETTING', 'INVALID_SETTING_VALUE'],
})

export const roleSettings = defineCall({
  path: 'role/settings',
  summary:
    'Sets settings of an account otherwise for people with a role, as settings or setting_{name}; an empty one is taken back. Answers with those that the role sets; without settings nothing changes.',
  takesSettings: true,
  on: { kind: 'account', by: ['uuid'], owner: 'role', may: 'enterPlace' },
  asks: { settings: 'setRoleSettings' },
  input: z.object({ uuid: wire.id(), settings: z.optional(settingsHash) }),
  output: z.object({ settings: z.record(z.string(), z.string()) }),
  errors: ['INVALID_JSON', 'INVALID_SETTING', 'INVALID_SETTING_VALUE', 'NO_ROLE_OVERRIDE'],
})
