import * as z from 'zod/mini'
import type { Act } from '../acts.ts'
import { defineCall } from '../call.ts'
import {
  failedShareDays,
  linkUndoMinutes,
  maxSentAddresses,
  maxShareDelaySeconds,
  maxShareMessage,
  maxShareMinutes,
  trackedSends,
} from '../limits.ts'
import * as wire from '../wire.ts'
import { copyRefusals } from './study-duplicate.ts'
import { byTriplet, byUuid } from './study.ts'

/** Kinds of recipients of a share, each named by `{kind}_id`. */
export const recipientKinds = ['user', 'group', 'location', 'account'] as const
export type RecipientKind = (typeof recipientKinds)[number]

const recipient = {
  user_id: z.optional(wire.id()),
  group_id: z.optional(wire.id()),
  location_id: z.optional(wire.id()),
  account_id: z.optional(wire.id()),
}

/** Acts that giving takes, by the kind of recipient. */
const byKind = {
  user: 'shareWithUser',
  group: 'shareWithGroup',
  location: 'shareWithLocation',
  account: 'sendToConnection',
} as const satisfies Record<RecipientKind, Act>

/** The same of a share that was made, which a code may have brought to a recipient of any kind. */
const byKindOrCode = { ...byKind, code: 'sendByShareCode' } as const

/** The same of every way to give. */
const byWay = { ...byKindOrCode, email: 'sendByEmail' } as const

/** Changes that sharing again makes to a share that is there. */
const shareChanges = ['moment', 'attachments', 'end', 'message', 'customfields'] as const
export type ShareChange = (typeof shareChanges)[number]

/**
 * Parts of sharing again that are asked for and change nothing of an access that stands: all of it where it was asked for
 * with a delay; attachments for a place that approves, and has approved the exam; a message that the record there does not
 * show, since another share made it, or that waits for approval; custom fields, since those of the exam there stay.
 */
const sharesLeftOut = ['delay', 'attachments', 'message', 'customfields'] as const
export type ShareLeftOut = (typeof sharesLeftOut)[number]

/** The share of a recipient that is in force after `study/share`. */
const shareInForce = z.object({
  uuid: z.string(),
  /** 0 where an earlier call made it. */
  is_new: z.number(),
  changed: z.array(z.enum(shareChanges)),
  left_out: z.array(z.enum(sharesLeftOut)),
  /** When it leaves, where it has not. */
  run_at: z.nullable(z.string()),
  /** Null for no end. */
  expires_at: z.nullable(z.string()),
})
export type ShareInForce = z.infer<typeof shareInForce>

export const studyShare = defineCall({
  path: 'study/share',
  once: { timed: ['delay'] },
  summary: `Shares a study with a user, who finds it in My studies, with a group or a location, with a connected account, which finds it in its Organisation inbox, or with whoever has the share_code. With email, a list of at most ${maxSentAddresses} addresses, each is mailed a link of its own, which asks for password, or with password_is_dob for the date of birth of the patient. With download the links let the images be downloaded, with pin_auth (ours) whoever opens one proves to read the mailbox, by a code that is mailed there. attachments takes along what is attached to the study, and lets links show it with the reports; NOT_PERMITTED with the subtype attachments for whoever may not see it, and for a copy without names. Sharing again with a recipient who has the study, or will have it, makes no second share; share (ours) of the answer names the one in force, with is_new 0, and in changed what became different there: of what waits the earlier moment holds (moment), attachments that are asked for and were not given go along (attachments), an expires that is given counts from now in the place of the former end, sooner or later (end), and a message takes the place of the former one (message); where none is given all stays, and so it does for whoever may not end the earlier share. Who has the study is given attachments, a message or a later end as by a new share, and refused as of one; left_out names what was asked for and left out: delay for all of it, since nothing is added later to an access that stands, attachments where the place approves what comes and has approved the study, message where another share made the record there, or it waits for approval. delay waits so many seconds (at most ${maxShareDelaySeconds}); expires ends it so many minutes after it was delivered (at most ${maxShareMinutes}), 0 never, but for links; other accounts have a default. A message has at most ${maxShareMessage} characters. error_subtype of SHARE_FAILED is SAME, NO_DESTINATION or OTHER_PATIENT, with the reasons in error_data. NOT_READY with the subtype mixed_patients where the images name several patients of whom nobody has said that they are one, unless mixed_patients (ours) says that somebody has looked at them. With share_code the custom fields of namespace/share_code are sent as customfield-{uuid}, the required ones at least: the record that the share makes has them, and one that is there already keeps its own. To share with a gatekeeper group is to nominate: customfield-{uuid} are the answers of its form; ALREADY_EXISTS when the group has the study, PENDING while another nomination of the study is open, NOT_READY for images of several patients, NOT_SUPPORTED where the configuration names fields that are gone.`,
  takesCustomFields: true,
  on: { kind: 'study', by: ['uuid'], may: 'giveExam' },
  decides: byWay,
  asks: { 'a gatekeeper group': 'nominateStudy', attachments: 'seeAttachments' },
  input: z.object({
    ...byUuid,
    ...byTriplet,
    ...recipient,
    share_code: z.optional(wire.clearableAnyText()),
    email: z.optional(wire.clearableAnyText()),
    password: z.optional(wire.clearableAnyText()),
    password_is_dob: z.optional(wire.flag()),
    pin_auth: z.optional(wire.flag()),
    message: z.optional(wire.clearableText()),
    attachments: z.optional(wire.flag()),
    mixed_patients: z.optional(wire.flag()),
    download: z.optional(wire.flag()),
    delay: z.optional(wire.integer()),
    expires: z.optional(wire.integer()),
  }),
  output: z.object({
    /** The links that e-mail addresses were sent, in the order of the addresses. */
    user_invite_share_id: z.optional(z.array(z.string())),
    /** Of every other recipient but a gatekeeper group. */
    share: z.optional(shareInForce),
  }),
  errors: [
    'ALREADY_EXISTS',
    'INVALID_CUSTOMFIELD',
    'INVALID_EMAIL',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_PARAMETERS',
    'LOCKOUT',
    'NOT_READY',
    'NOT_SUPPORTED',
    'PENDING',
    'PHANTOM',
    'SHARE_FAILED',
  ],
})

export const studyShareStop = defineCall({
  path: 'study/share/stop',
  summary: `Stops sharing a study with a user, a group, a location or an account, and with everybody who has it from them; also before it was delivered. user_invite_share_id names the link that an e-mail address was sent, share_code whoever was sent the study by it. With scheduled_only what was delivered already stays: NOT_PERMITTED with the subtype delivered. share_id (ours) stops that share alone, as study/share named it to whoever made it: NOT_PERMITTED with the subtype other where another one is in force, or somebody else has asked for the same since. Of a gatekeeper group it cancels the nomination: PENDING while it is sent; NOT_PERMITTED with the subtype completed afterwards. restore (ours) brings back what was stopped so in the last ${linkUndoMinutes} minutes, and what failed in the last ${failedShareDays} days, as it was: with its words, its end and its attached files, in a new record of the recipient, and a link with the same address; EXPIRED when it is too late, or was shared again meanwhile; one that failed and whose images name several patients by now is NOT_READY with the subtype mixed_patients; a nomination is not brought back, nor one by a share code that failed where the receiver asks for custom fields (INVALID_CUSTOMFIELD).`,
  on: { kind: 'study', by: ['uuid'], may: 'giveExam' },
  decides: byWay,
  asks: { attachments: 'seeAttachments' },
  input: z.object({
    ...byUuid,
    ...byTriplet,
    ...recipient,
    user_invite_share_id: z.optional(wire.id()),
    share_code: z.optional(wire.clearableAnyText()),
    share_id: z.optional(wire.id()),
    scheduled_only: z.optional(wire.flag()),
    restore: z.optional(wire.flag()),
  }),
  output: wire.statusOnly,
  errors: [
    'EXPIRED',
    'INVALID_CUSTOMFIELD',
    'INVALID_FLAG',
    'INVALID_PARAMETERS',
    'NOT_READY',
    'PENDING',
    'PHANTOM',
    'SHARE_FAILED',
  ],
})

export const studyShareExtend = defineCall({
  path: 'study/share/extend',
  summary: `Lets a study be shared with a user, a group, a location or an account for so many minutes from now (at most ${maxShareMinutes}). A share is not shortened by it: INVALID_FIELD. What the recipient passed on ends as it did. One with attached files is extended by those who may see these. EXPIRED when the share is over, was not delivered yet or has no end.`,
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'giveExam' },
  decides: byKindOrCode,
  asks: { attachments: 'seeAttachments' },
  input: z.object({ ...byUuid, ...byTriplet, ...recipient, minutes_left: wire.integer() }),
  output: z.object({ expires_at: z.string() }),
  errors: ['EXPIRED', 'INVALID_FIELD', 'INVALID_INTEGER', 'INVALID_PARAMETERS'],
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

/** A user, a group, a location or a connected account that a study can be shared with. */
export const shareable = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Of a user; empty for groups. */
  user_email: z.string(),
})
export type Shareable = z.infer<typeof shareable>

export const studyShareWho = defineCall({
  path: 'study/share/who',
  reads: true,
  summary:
    'Lists the users, groups, locations or connected accounts that the caller may share a study with. search narrows them by parts of the name or the e-mail address, whatever their case and accents.',
  on: { kind: 'study', by: ['uuid'], may: 'giveExam' },
  decides: byKind,
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
    type: wire.oneOf(recipientKinds, 'INVALID_TYPE'),
    search: z.optional(wire.clearableAnyText()),
  }),
  output: z.object({ shares: z.array(shareable), page: wire.page }),
  errors: ['INVALID_TYPE'],
})

/**
 * Why a delayed share was not delivered; `PATIENT_CHANGED`: the exam was corrected to another patient meanwhile, `REJECTED`:
 * by those who approve for the recipient.
 */
const shareFailures = [
  'NOT_PERMITTED',
  'NOT_FOUND',
  'NO_DESTINATION',
  'OTHER_PATIENT',
  'MIXED_PATIENTS',
  'PATIENT_CHANGED',
  'REJECTED',
] as const
export type ShareFailure = (typeof shareFailures)[number]

/** A share as its sender sees it. */
const studyAccess = z.object({
  kind: z.enum(recipientKinds),
  uuid: z.string(),
  name: z.string(),
  /** 1 of a recipient whom a share code led to. */
  by_code: z.number(),
  user_email: z.string(),
  state: z.enum(['scheduled', 'delivered', 'failed']),
  failure: z.nullable(z.enum(shareFailures)),
  /** Words of whoever rejected it. */
  reply: z.string(),
  /** Delivered, and nobody there has approved it yet. */
  awaits_approval: z.boolean(),
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
  /** Images that came after the delivery, and that the recipient sees as well. */
  late_image_count: z.number(),
})
export type StudyShareAccess = z.infer<typeof studyAccess>

/** A share by which a study came here. */
const receivedShare = z.object({
  from_name: z.string(),
  /** The sender's organisation, where it is another one than that of whoever received it. */
  from_account: z.string(),
  by_name: z.string(),
  message: z.string(),
  awaits_approval: z.boolean(),
  delivered_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  /** Images that came by it after the delivery. */
  late_image_count: z.number(),
})
export type ReceivedShare = z.infer<typeof receivedShare>

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
    /** Senders by a request or with a share code, as they call themselves. */
    sent_by: z.array(z.object({ sender: z.string(), by_share_code: z.number(), requested_by: z.string() })),
    /** The record has all its images as its own, too: they stay when sharing ends. */
    has_copy: z.boolean(),
    /** Why no copy can be kept here, as study/duplicate answers; empty where one can. */
    keep_refused: z.enum(['', ...copyRefusals]),
    shares: z.array(studyAccess),
  }),
  errors: [],
})

/**
 * States of something that was sent: `scheduled` has not left, `queued` waits for the mail server, which refused `retried`
 * until now, `waiting` waits for approval there, `failed` was given up, `cancelled` by an
 * administrator before the mail was sent, `held` since the exam was corrected to another patient before that, `ended` was stopped or is over.
 */
const trackedStates = [
  'scheduled',
  'queued',
  'retried',
  'waiting',
  'delivered',
  'failed',
  'returned',
  'cancelled',
  'held',
  'ended',
] as const

/** Something that was sent or shared, and what became of it. */
const trackedSend = z.object({
  kind: z.enum([...recipientKinds, 'email']),
  /** The recipient; of an e-mail address its link. */
  uuid: z.string(),
  name: z.string(),
  by_code: z.number(),
  by_name: z.string(),
  created: z.string(),
  state: z.enum(trackedStates),
  /** When it leaves, where it has not. */
  due_at: z.nullable(z.string()),
  /** Of a link, when the mail server took the mail. */
  delivered_at: z.nullable(z.string()),
  /** Why it was not shared, or not mailed at its time; null of everything else. */
  failure: z.nullable(z.enum(shareFailures)),
  /** The answer of the mail server to a mail that failed or came back, or the words of whoever rejected it; else empty. */
  error: z.string(),
  /** How often the images were opened; the first time, and by whom of the sender's own account. */
  opens: z.number(),
  opened_at: z.nullable(z.string()),
  opened_by: z.string(),
  downloaded_at: z.nullable(z.string()),
  downloaded_by: z.string(),
})
export type TrackedSend = z.infer<typeof trackedSend>

export const studyShareTrack = defineCall({
  path: 'study/share/track',
  reads: true,
  summary: `Tells what became of what was sent: delivered, opened, downloaded, by whom of the own account and when. The last ${trackedSends}, newest first.`,
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'seeShares' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({
    sends: z.array(trackedSend),
    /** Mails leave: a mail server is set up. */
    has_smtp: z.number(),
  }),
  errors: [],
})
