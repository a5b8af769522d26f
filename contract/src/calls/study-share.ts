import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { maxShareDelaySeconds, maxShareMessage, maxShareMinutes } from '../limits.ts'
import * as wire from '../wire.ts'
import { byTriplet, byUuid } from './study.ts'

/** Kinds of recipients of a share, each named by `{kind}_id`. */
export const recipientKinds = ['user', 'group'] as const
export type RecipientKind = (typeof recipientKinds)[number]

const recipient = { user_id: z.optional(wire.id()), group_id: z.optional(wire.id()) }

export const studyShare = defineCall({
  path: 'study/share',
  summary: `Shares a study with a user, who finds it in My studies, or with a group. Sharing again changes nothing. delay waits so many seconds (at most ${maxShareDelaySeconds}); expires ends it so many minutes after it was delivered (at most ${maxShareMinutes}). A message has at most ${maxShareMessage} characters. error_subtype of SHARE_FAILED is SAME, NO_DESTINATION or OTHER_PATIENT, with the reasons in error_data.`,
  on: { kind: 'study', by: ['uuid'], may: 'shareExam' },
  input: z.object({
    ...byUuid,
    ...byTriplet,
    ...recipient,
    message: z.optional(wire.clearableText()),
    delay: z.optional(wire.integer()),
    expires: z.optional(wire.integer()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_PARAMETERS', 'INVALID_INTEGER', 'INVALID_FIELD', 'PHANTOM', 'SHARE_FAILED'],
})

export const studyShareStop = defineCall({
  path: 'study/share/stop',
  summary:
    'Stops sharing a study with a user or a group, and with everybody who has it from them; also before it was delivered.',
  on: { kind: 'study', by: ['uuid'], may: 'shareExam' },
  input: z.object({ ...byUuid, ...byTriplet, ...recipient }),
  output: wire.statusOnly,
  errors: ['INVALID_PARAMETERS'],
})

const sharedWith = z.array(z.union([z.string(), z.object({ uuid: z.string(), name: z.string() })]))

export const studyShareList = defineCall({
  path: 'study/share/list',
  reads: true,
  summary: 'Lists with whom a study is shared: ids, or with name=1 ids and names.',
  on: { kind: 'study', by: ['uuid'], may: 'seeShares' },
  input: z.object({ ...byUuid, ...byTriplet, name: z.optional(wire.flag()) }),
  output: z.object({
    account_id: sharedWith,
    location_id: sharedWith,
    group_id: sharedWith,
    user_id: sharedWith,
    user_invite_share_id: sharedWith,
  }),
  errors: ['INVALID_FLAG'],
})

/** A user or a group that a study can be shared with. */
export const shareable = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Of a user; empty for groups. */
  user_email: z.string(),
})
export type Shareable = z.infer<typeof shareable>

/** The kinds of the public API; studies are shared with users and groups. */
export const whoTypes = ['account', 'location', 'group', 'user'] as const

export const studyShareWho = defineCall({
  path: 'study/share/who',
  reads: true,
  summary:
    'Lists the users or groups that the caller may share a study with. search narrows them by parts of the name or the e-mail address, whatever their case and accents.',
  on: { kind: 'study', by: ['uuid'], may: 'shareExam' },
  list: {
    object: 'share',
    rowsKey: 'shares',
    filters: { uuid: 'uuid' },
    sorts: ['name'],
    defaultRows: 1000,
  },
  input: z.object({
    ...byUuid,
    ...byTriplet,
    type: wire.oneOf(whoTypes, 'INVALID_TYPE'),
    search: z.optional(wire.clearableText()),
  }),
  output: z.object({ shares: z.array(shareable), page: wire.page }),
  errors: ['INVALID_TYPE'],
})

/** Why a delayed share was not delivered. */
export const shareFailures = ['NOT_PERMITTED', 'NOT_FOUND', 'NO_DESTINATION', 'OTHER_PATIENT'] as const
export type ShareFailure = (typeof shareFailures)[number]

/** A share as its sender sees it. */
export const studyAccess = z.object({
  kind: z.enum(recipientKinds),
  uuid: z.string(),
  name: z.string(),
  user_email: z.string(),
  state: z.enum(['scheduled', 'delivered', 'failed']),
  failure: z.nullable(z.enum(shareFailures)),
  message: z.string(),
  by_name: z.string(),
  created: z.string(),
  /** When a delayed share is delivered. */
  run_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  /** Minutes from the delivery to the end, for sharing in the same way again. */
  expires: z.nullable(z.number()),
  /** The recipient's record has images of its own, which stay when sharing ends. */
  has_copy: z.boolean(),
})
export type StudyAccess = z.infer<typeof studyAccess>

/** A share by which a study came here. */
export const receivedShare = z.object({
  from_name: z.string(),
  by_name: z.string(),
  message: z.string(),
  delivered_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
})

export const studyShareAccess = defineCall({
  path: 'study/share/access',
  reads: true,
  summary: 'Tells the owner of a study, the shares by which it came here, and who has access by shares from here.',
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'seeShares' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({
    /** The group or person whose inbox holds the study. */
    owner: z.object({ kind: z.enum(['account', 'group', 'location', 'user']), name: z.string() }),
    received: z.array(receivedShare),
    /** The record has images of its own. */
    has_copy: z.boolean(),
    shares: z.array(studyAccess),
  }),
  errors: [],
})
