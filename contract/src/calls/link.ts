import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import {
  linkPasswordLength,
  linkPasswordTries,
  linkUndoMinutes,
  maxLinkHits,
  maxLinkMessage,
  maxLinkMinutes,
  maxShownStudies,
  maxNotified,
  maxRequestNumber,
  mostUploadMegabytes,
  requestMemoryDays,
} from '../limits.ts'
import * as wire from '../wire.ts'

/** Purposes of links: to show a study, or to ask for studies, which are uploaded into a namespace. */
export const linkActions = ['STUDY_VIEW', 'STUDY_UPLOAD'] as const
export type LinkAction = (typeof linkActions)[number]

/**
 * States of a link when it is opened: `waiting` shows nothing, as its study awaits approval or has no images,
 * `locked` saw too many wrong passwords or codes, `used` was opened as often as it may be, `ended` was revoked.
 */
export const linkStates = ['open', 'waiting', 'locked', 'used', 'expired', 'ended'] as const
export type LinkState = (typeof linkStates)[number]

/** The patient that a request expects. Texts may be empty; the birth date is YYYYMMDD. */
export const expectedPatient = z.object({
  patient_name: z.string(),
  patient_birth_date: z.string(),
  patient_sex: z.string(),
  patientid: z.string(),
})
export type ExpectedPatient = z.infer<typeof expectedPatient>

/** The exam that a request expects. Texts may be empty; the date is YYYYMMDD. */
export const expectedExam = z.object({
  study_date: z.string(),
  modality: z.string(),
  study_description: z.string(),
})
export type ExpectedExam = z.infer<typeof expectedExam>

/** Differences between the exam that a request expects and one that came. */
export const examDifferences = ['date', 'modality', 'description'] as const
export type ExamDifference = (typeof examDifferences)[number]

/** A study that was sent by a link. */
const linkArrival = z.object({
  /** Empty where the caller may not see the study, or it is gone. */
  study_id: z.string(),
  /** Patient and exam as the record has them; empty where the study is not seen, or the caller's role hides the field. */
  patient_name: z.string(),
  patient_birth_date: z.string(),
  study_date: z.string(),
  modality: z.string(),
  study_description: z.string(),
  image_count: z.number(),
  /** Images that the sender announced. */
  expected_count: z.number(),
  /** Null while images may still come. */
  ended_at: z.nullable(z.string()),
  /** 1 where nothing comes any more, and fewer images came than the sender announced. */
  is_incomplete: z.number(),
  /** The patient of the study beside the expected one; empty where none was named, or the study is not seen. */
  verdict: z.enum(['same', 'likely', 'different', '']),
  /** Reasons of the comparison that speak against one person. */
  differences: z.array(z.string()),
  /** Facts of the study that differ from the expected exam; none where no exam was named, or the study is not seen. */
  exam_differences: z.array(z.enum(examDifferences)),
})
export type LinkArrival = z.infer<typeof linkArrival>

/**
 * States of the last mail with the address of a link: `no_server` stays here, since no mail server is set up, `queued`
 * waits for the mail server, `sent` was taken by it, `failed`
 * is tried again, `returned` was refused for good or came back, `given_up` was taken by no mail server in time,
 * `cancelled` by an administrator before it was sent, `held` since an exam was corrected to another patient before that.
 */
const linkMailStates = ['no_server', 'queued', 'sent', 'failed', 'returned', 'given_up', 'cancelled', 'held'] as const

/** A link as those see it who may see the links of its study, or the requests of its namespace. */
export const linkObject = z.object({
  uuid: z.string(),
  /** The address with its secret: for who may make such a link, and as long as it was not revoked; else empty. */
  url: z.string(),
  action: z.enum(linkActions),
  /** The first of its studies; empty for a request. */
  study_id: z.string(),
  study_count: z.number(),
  account_id: z.string(),
  namespace_id: z.string(),
  namespace_name: z.string(),
  /** To whoever opens the link; of a request the study that is asked for. */
  message: z.string(),
  /** Of a request the study that is asked for, like `message`; empty of a link that shows a study. */
  description: z.string(),
  /** Where the link was mailed to. */
  email: z.string(),
  /** The last mail with its address, and the answer of the mail server where that took none; null without a mail. */
  mail: z.nullable(z.object({ state: z.enum(linkMailStates), at: z.string(), error: z.string() })),
  /** When its holder was reminded of its end; null before. */
  reminded_at: z.nullable(z.string()),
  /** Addresses that are told of its use, with commas between. */
  notify: z.string(),
  has_password: z.number(),
  password_is_dob: z.number(),
  /** A code is asked for that is mailed to `email`. */
  pin_auth: z.number(),
  /** Null where it may be opened any number of times. */
  max_hits: z.nullable(z.number()),
  minutes_alive: z.number(),
  created: z.string(),
  created_by_name: z.string(),
  expires_at: z.string(),
  state: z.enum(linkStates),
  /** When it was revoked or expired; null before. */
  ended_at: z.nullable(z.string()),
  hits: z.number(),
  /** Whether the images may be downloaded through it. */
  download: z.number(),
  /** Whether its page shows reports and attached files. */
  attachments: z.number(),
  /** Bytes that a request may store, and those that it stored; 0 of a link that shows a study. */
  max_bytes: z.number(),
  stored_bytes: z.number(),
  /** The last times that somebody opened it, newest first. */
  uses: z.array(z.object({ opened_at: z.string(), client_address: z.string() })),
  /** Null where none was named, or the caller's role hides fields of studies. */
  expected: z.nullable(expectedPatient),
  /** As `expected`. */
  expected_exam: z.nullable(expectedExam),
  /** When patient and exam were erased from a request that had ended; null before. */
  expected_erased_at: z.nullable(z.string()),
  /** Name that the sender of studies gave. */
  sender: z.string(),
  /** Nobody asked: it is the page of a share code that somebody opened, and `created_by_name` whoever set the code. */
  by_share_code: z.number(),
  /** Studies sent by the link, the newest first. */
  arrivals: z.array(linkArrival),
})
export type Link = z.infer<typeof linkObject>

const limits = `minutes_alive is at most ${maxLinkMinutes}, max_hits at most ${maxLinkHits} (of a request both at most ${maxRequestNumber}), a password has ${linkPasswordLength.least} to ${linkPasswordLength.most} characters, a message at most ${maxLinkMessage}. notify has at most ${maxNotified} addresses, with commas between, which are mailed when a link to studies is opened, or when the first image of a request has come and when all has; of a request without notify whoever made it is mailed, and with an empty notify nobody. A request stores at most max_megabytes, up to ${mostUploadMegabytes}.`

const inPlace = { kind: 'link', may: 'makeLinks', mayInPlace: 'requestStudy' } as const
const seenInPlace = { kind: 'link', may: 'seeLinks', mayInPlace: 'seePendingRequests' } as const

export const linkAdd = defineCall({
  path: 'link/add',
  once: {},
  summary: `Makes a link by which somebody without a login sees a study (study_id), with it other studies of the same place (study_ids, with commas between, ${maxShownStudies} in all) and with include_priors the earlier exams of the same patient in that place, as they are now, or uploads studies into a namespace (namespace_id, action STUDY_UPLOAD). A password, or with password_is_dob the patient's date of birth, is asked for; after ${linkPasswordTries} wrong ones the link is locked. With download the images may be downloaded, with attachments the attached files of the studies and the reports among their images (structured reports and encapsulated documents) are shown, and without it neither; a copy without names shows none (NOT_PERMITTED with the subtype attachments). A link shows no copy without names beside an exam that is none, or beside a copy for another recipient: NOT_PERMITTED with the subtype names. NOT_READY with the subtype mixed_patients where images of a named study name several patients of whom nobody has said that they are one, unless mixed_patients (ours) says that somebody has looked at them. ${limits} With email the address of the link is mailed; with pin_auth whoever opens it proves to read that mailbox, by a code that is mailed there. The patient and the exam that a request expects are compared with what arrives, and erased ${requestMemoryDays} days after its end; the patient is shown to the sender behind a password alone.`,
  on: { ...inPlace, by: ['study_id', 'namespace_id'] },
  input: z.object({
    study_id: z.optional(wire.id()),
    study_ids: z.optional(wire.clearableText()),
    include_priors: z.optional(wire.flag()),
    namespace_id: z.optional(wire.id()),
    action: wire.oneOf(linkActions, 'INVALID_ACTION'),
    password: z.optional(wire.clearableAnyText()),
    password_is_dob: z.optional(wire.flag()),
    max_hits: z.optional(wire.integer()),
    minutes_alive: z.optional(wire.integer()),
    email: z.optional(wire.clearableAnyText()),
    pin_auth: z.optional(wire.flag()),
    notify: z.optional(wire.clearableAnyText()),
    message: z.optional(wire.clearableText()),
    download: z.optional(wire.flag()),
    attachments: z.optional(wire.flag()),
    mixed_patients: z.optional(wire.flag()),
    patient_name: z.optional(wire.clearableText()),
    patient_birth_date: z.optional(wire.clearableText()),
    patient_sex: z.optional(wire.clearableText()),
    patientid: z.optional(wire.clearableText()),
    study_date: z.optional(wire.clearableText()),
    modality: z.optional(wire.clearableText()),
    study_description: z.optional(wire.clearableText()),
    max_megabytes: z.optional(wire.integer()),
  }),
  output: z.object({
    uuid: z.string(),
    url: z.string(),
    /** Studies that it shows (ours); 0 of a request. */
    study_count: z.number(),
    /** Earlier exams of the patient that include_priors asked for and it does not show (ours). */
    priors_left_out: z.number(),
    /** 0 where no mail server is set up: its mail waits in the outbox (ours). */
    has_smtp: z.number(),
  }),
  errors: [
    'INVALID_ACTION',
    'INVALID_EMAIL',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_PARAMETERS',
    'NOT_READY',
    'PHANTOM',
  ],
})

/**
 * Why a link with include_priors does not show an earlier exam: it is frozen, has no images here, waits for approval, its
 * images name somebody else as well, or there are more than one link shows.
 */
export const priorWithheld = ['frozen', 'no_images', 'awaits_approval', 'mixed', 'too_many'] as const
export type PriorWithheld = (typeof priorWithheld)[number]

export const linkPriors = defineCall({
  path: 'link/priors',
  reads: true,
  ours: true,
  summary: `Lists the earlier exams of the same patient in the place of a study, the newest first, as link/add with include_priors would show them at this moment. withheld says why one is not shown, and is empty where it is; a link shows at most ${maxShownStudies} studies. What a link asks for and gives may withhold more of them: with password_is_dob those that name another date of birth, with attachments copies without names, and beside a copy without names copies for other recipients. more is 1 where the patient has more exams than were looked through.`,
  on: { kind: 'study', by: ['study_id'], may: 'makeLinks' },
  input: z.object({ study_id: wire.id() }),
  output: z.object({
    priors: z.array(
      z.object({
        uuid: z.string(),
        study_date: z.string(),
        modality: z.string(),
        study_description: z.string(),
        withheld: z.enum(['', ...priorWithheld]),
      }),
    ),
    more: z.number(),
  }),
  errors: [],
})

export const linkList = defineCall({
  path: 'link/list',
  reads: true,
  summary:
    'Lists the links to a study (study_id), or the requests for studies of a namespace (namespace_id) or an account (account_id) that were not revoked, until 30 days after their end; the newest first, with who opened them and when. Of requests `ended` 0 lists those by which studies may still come, and 1 the others: cancelled, expired, and used up with nothing on its way.',
  on: { ...seenInPlace, by: ['study_id', 'namespace_id', 'account_id'] },
  list: {
    object: 'link',
    rowsKey: 'links',
    filters: {
      uuid: 'uuid',
      action: 'exact',
      email: 'text',
      created: 'stamp',
      namespace_id: 'uuid',
      max_hits: 'integer',
      minutes_alive: 'integer',
      password_is_dob: 'flag',
      pin_auth: 'flag',
    },
    sorts: ['created', 'email', 'action', 'max_hits', 'minutes_alive'],
    defaultRows: 100,
  },
  input: z.object({
    study_id: z.optional(wire.id()),
    namespace_id: z.optional(wire.id()),
    account_id: z.optional(wire.id()),
    ended: z.optional(wire.flag()),
  }),
  output: z.object({ links: z.array(linkObject), page: wire.page }),
  errors: ['INVALID_FLAG'],
})

export const linkGet = defineCall({
  path: 'link/get',
  reads: true,
  summary: 'Reads a link.',
  on: { ...seenInPlace, by: ['uuid'] },
  input: z.object({ uuid: wire.id() }),
  output: linkObject,
  errors: [],
})

export const linkSet = defineCall({
  path: 'link/set',
  summary: `Changes a link that was not revoked: minutes_left lets it end so many minutes from now, max_hits 0 lets it be opened any number of times, an empty password asks for none, unlock lets passwords be tried again. download and attachments give or take what link/add says of them. A new password ends what was opened with the one before; that of a request which expects a patient is changed by those who may see the patient. restore brings back a link that was revoked in the last ${linkUndoMinutes} minutes, with the same address; a mail that had not left goes again. ${limits}`,
  postOnly: true,
  ours: true,
  on: { ...inPlace, by: ['uuid'] },
  input: z.object({
    uuid: wire.id(),
    minutes_left: z.optional(wire.integer()),
    max_hits: z.optional(wire.integer()),
    password: z.optional(wire.clearableAnyText()),
    download: z.optional(wire.flag()),
    attachments: z.optional(wire.flag()),
    max_megabytes: z.optional(wire.integer()),
    unlock: z.optional(wire.flag()),
    restore: z.optional(wire.flag()),
  }),
  output: wire.statusOnly,
  errors: ['EXPIRED', 'INVALID_FIELD', 'INVALID_FLAG', 'INVALID_INTEGER', 'NOT_READY'],
})

export const linkMail = defineCall({
  path: 'link/mail',
  once: {},
  summary:
    'Mails the address of a link again, to email or to whom it was mailed before; a mail that still waits is taken back. Mailed to somebody else, the link has a new address: the one before opens nothing, and whoever opened it is shut out. NOT_READY with the subtype mixed_patients where that link shows images that name several patients by now, and whoever made it had not looked at them. EXPIRED when the link opens nothing.',
  on: { ...inPlace, by: ['uuid'] },
  input: z.object({ uuid: wire.id(), email: z.optional(wire.clearableAnyText()) }),
  /** `has_smtp`: 0 where no mail server is set up, and the mail waits in the outbox. */
  output: z.object({ has_smtp: z.number() }),
  errors: ['EXPIRED', 'INVALID_EMAIL', 'NOT_READY'],
})

export const linkDelete = defineCall({
  path: 'link/delete',
  summary: 'Revokes a link. Whatever is open through it closes at once, and it never opens again.',
  on: { ...inPlace, by: ['uuid'] },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['EXPIRED'],
})
