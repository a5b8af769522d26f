import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { inboxConfig } from '../inbox-config.ts'
import { customField, flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

export const namespaceSettings = defineCall({
  path: 'namespace/settings',
  summary:
    'Reads a namespace’s settings. With study_field_flags (F, H, O or R by field of a study; an empty object for none) the fields of its studies are narrowed for everybody, and settings of the account are set otherwise for it (enable_dicom_wrapping, auto_wrap_images, enable_multipart_uploader, ui_json; empty to take one back); either takes account_edit in the account, or on one’s own namespace nothing.',
  on: { kind: 'namespace', by: ['uuid', 'namespace_id'], may: 'enterPlace' },
  asks: { 'changes of a group or an account': 'administerAccount' },
  input: z.object({
    uuid: z.optional(wire.id()),
    namespace_id: z.optional(wire.id()),
    study_field_flags: z.optional(wire.json(z.record(z.string(), z.unknown()))),
    enable_dicom_wrapping: z.optional(wire.clearableText()),
    auto_wrap_images: z.optional(wire.clearableText()),
    enable_multipart_uploader: z.optional(wire.clearableText()),
    ui_json: z.optional(wire.json(z.unknown())),
  }),
  output: z.looseObject({
    settings: z.looseObject({ inbox_config: z.optional(inboxConfig) }),
    no_dup_share: flagOut,
    study_field_flags: z.record(z.string(), z.string()),
  }),
  errors: ['INVALID_JSON', 'INVALID_SETTING_VALUE'],
})

export const namespaceShareCode = defineCall({
  path: 'namespace/share_code',
  reads: true,
  summary: 'Tells what a share code or namespace takes in: its name and its upload rules. Needs no session.',
  on: { kind: 'anyone' },
  input: z.object({ share_code: z.optional(wire.clearableAnyText()), namespace_id: z.optional(wire.id()) }),
  output: z.looseObject({
    share_code: z.string(),
    share_description: z.string(),
    share_type: z.enum(['account', 'group', 'location', 'user']),
    share_name: z.string(),
    /** Ours: the organisation of the place. */
    account_name: z.string(),
    /** Of the place, to its members alone. */
    share_settings: z.record(z.string(), z.unknown()),
    /** Ours: whoever knows the code may upload without a login. */
    takes_uploads: flagOut,
    confirm_before_upload: flagOut,
    namespace_id: z.string(),
    account_id: z.string(),
    enable_dicom_wrapping: flagOut,
    enable_dicomdir_scan: flagOut,
    enable_multipart_uploader: flagOut,
    /** Ours: the organisation's root of new UIDs; empty where they are made of random UUIDs. */
    uid_root: z.string(),
    upload_settings: z.unknown(),
    /** Custom fields of exams that whoever sends here by the code fills in, without values. */
    customfields: z.array(customField),
    permissions: z.record(z.string(), flagOut),
    is_anonymous: flagOut,
  }),
  errors: ['LOCKOUT'],
})

export const namespaceShareCodeOpen = defineCall({
  path: 'namespace/share_code/open',
  summary:
    'Lets somebody who knows the share code of a group or location upload there without a login, where its share settings say so. The sid opens link/request and the calls and the route that upload by a link.',
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({ share_code: wire.anyText() }),
  output: z.object({ sid: z.string(), action: z.literal('STUDY_UPLOAD'), expires_at: z.string() }),
  errors: ['LOCKOUT'],
})

export const namespaceEngineFqdn = defineCall({
  path: 'namespace/engine/fqdn',
  reads: true,
  summary: 'Tells which host and port holds the images of a namespace or a study. Needs no session.',
  on: { kind: 'anyone' },
  input: z.object({
    namespace_id: z.optional(wire.id()),
    study_id: z.optional(wire.id()),
    study_uid: z.optional(wire.naming(wire.clearableText())),
    storage_namespace: z.optional(wire.id()),
  }),
  output: z.object({ engine_fqdn: z.string(), engine_url: z.string(), storage_namespace: z.string() }),
  errors: [],
})
