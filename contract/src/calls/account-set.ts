import * as z from 'zod/mini'
import { accountSettings, type AccountSetting } from '../account-settings.ts'
import { settingsHash } from './place-fields.ts'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** Days and minutes that an account may set; 0 stands for none of its own. */
export const accountSecurityLimits = {
  password_expire: { least: 1, most: 3650 },
  session_expire: { least: 5, most: 180 },
} as const

const settingFields = Object.fromEntries(
  accountSettings.map((name) => [`setting_${name}`, z.optional(wire.clearableText())]),
) as Record<`setting_${AccountSetting}`, z.ZodMiniOptional<ReturnType<typeof wire.clearableText>>> // one for each name

export const accountSet = defineCall({
  path: 'account/set',
  summary:
    'Changes an account: its name; host names and default role; the assigning authority of its MRNs (ours), which exams that are here do not follow, and other names of it in orders and messages (setting_other_issuers, ours, by commas; setting_outside_issuers names those of others, as account/issuers tells them); settings; and how its people sign in: days after which passwords expire, idle minutes after which sessions end (0 for none of its own), whether a second factor is required (ours), how its Organisation inbox takes studies in (must_approve and the like, no_share, share_code, share_description, share_settings); values of its custom fields as customfield-{uuid}; and for how many hours from now supporters of the installation may sign in as its people (support_hours, ours; 0 for no longer). Sessions that are open stay as they are. With seen, fields of account/get as they were read, settings as setting_{name} (empty where none is stored) and custom fields as customfield-{uuid}, a change by somebody else meanwhile answers STALE.',
  takesSettings: true,
  takesCustomFields: true,
  on: { kind: 'account', by: ['uuid'], may: 'administerAccount' },
  input: z.object({
    uuid: wire.id(),
    name: z.optional(wire.text()),
    issuer: z.optional(wire.text()),
    /** Host names below which people sign in by their login in the account, comma-separated; empty for none. */
    vanity: z.optional(wire.clearableText()),
    /** The role of new members who are given none. */
    role_id: z.optional(wire.id()),
    password_expire: z.optional(wire.integer()),
    session_expire: z.optional(wire.integer()),
    pin_required: z.optional(wire.flag()),
    support_hours: z.optional(wire.integer()),
    /** Studies shared with the Organisation inbox, uploaded to it or sent to it by DICOM wait for approval. */
    must_approve: z.optional(wire.flag()),
    must_approve_upload: z.optional(wire.flag()),
    must_approve_harvest: z.optional(wire.flag()),
    /** The Organisation inbox takes no shares, by share code or connection. */
    no_share: z.optional(wire.flag()),
    share_code: z.optional(wire.clearableText()),
    share_description: z.optional(wire.clearableText()),
    share_settings: z.optional(wire.json(z.record(z.string(), z.unknown()))),
    settings: z.optional(settingsHash),
    ...settingFields,
    seen: wire.seen(),
  }),
  output: wire.statusOnly,
  errors: [
    'CAN_NOT_PROMOTE',
    'DUPLICATE_NAME',
    'DUPLICATE_VANITY',
    'DUP_SHARE_CODE',
    'INVALID_VANITY',
    'ROLE_NAMESPACE_MISMATCH',
    'ROLE_NOT_FOUND',
    'INVALID_CUSTOMFIELD',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_JSON',
    'INVALID_SETTING',
    'INVALID_SETTING_VALUE',
    'LOCKOUT',
    'PROOF_REQUIRED',
    'STALE',
  ],
})
