import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { studyObject } from '../entities/study.ts'
import { linkPasswordTries, linkPasswordLength, maxLinkHits, maxLinkMessage, maxLinkMinutes } from '../limits.ts'
import * as wire from '../wire.ts'

/** Purposes of links. Requests for studies are links to upload; they are made elsewhere. */
export const linkActions = ['STUDY_VIEW'] as const

/**
 * States of a link when it is opened: `waiting` shows nothing, as its study awaits approval or has no images,
 * `locked` saw too many wrong passwords, `used` was opened as often as it may be, `ended` was revoked.
 */
export const linkStates = ['open', 'waiting', 'locked', 'used', 'expired', 'ended'] as const
export type LinkState = (typeof linkStates)[number]

/** A link as those see it who may see the links of its study. */
export const linkObject = z.object({
  uuid: z.string(),
  /** The address with its secret: for who may make such a link, and as long as it was not revoked; else empty. */
  url: z.string(),
  action: z.enum(linkActions),
  study_id: z.string(),
  account_id: z.string(),
  namespace_id: z.string(),
  namespace_name: z.string(),
  message: z.string(),
  /** Where the link was mailed to. */
  email: z.string(),
  has_password: z.number(),
  password_is_dob: z.number(),
  /** Null where it may be opened any number of times. */
  max_hits: z.nullable(z.number()),
  minutes_alive: z.number(),
  created: z.string(),
  created_by_name: z.string(),
  expires_at: z.string(),
  state: z.enum(linkStates),
  hits: z.number(),
  /** Whether the images may be downloaded through it. */
  download: z.number(),
  /** The last times that somebody opened it, newest first. */
  uses: z.array(z.object({ opened_at: z.string(), client_address: z.string() })),
})
export type Link = z.infer<typeof linkObject>

const limits = `minutes_alive is at most ${maxLinkMinutes}, max_hits at most ${maxLinkHits}, a password has ${linkPasswordLength.least} to ${linkPasswordLength.most} characters, a message at most ${maxLinkMessage}.`

export const linkAdd = defineCall({
  path: 'link/add',
  summary: `Makes a link by which somebody without a login sees a study. A password, or with password_is_dob the patient's date of birth, is asked for; after ${linkPasswordTries} wrong ones the link is locked. ${limits} With email the address of the link is mailed.`,
  postOnly: true,
  on: { kind: 'study', by: ['study_id'], may: 'makeLinks' },
  input: z.object({
    study_id: wire.id(),
    action: wire.oneOf(linkActions, 'INVALID_ACTION'),
    password: z.optional(wire.clearableText()),
    password_is_dob: z.optional(wire.flag()),
    max_hits: z.optional(wire.integer()),
    minutes_alive: z.optional(wire.integer()),
    email: z.optional(wire.clearableText()),
    message: z.optional(wire.clearableText()),
    download: z.optional(wire.flag()),
  }),
  output: z.object({ uuid: z.string(), url: z.string() }),
  errors: [
    'INVALID_ACTION',
    'INVALID_EMAIL',
    'INVALID_FIELD',
    'INVALID_FLAG',
    'INVALID_INTEGER',
    'INVALID_PARAMETERS',
    'PHANTOM',
  ],
})

export const linkList = defineCall({
  path: 'link/list',
  reads: true,
  summary: 'Lists the links to a study, the newest first, with who opened them and when.',
  on: { kind: 'study', by: ['study_id'], may: 'seeLinks' },
  list: {
    object: 'link',
    rowsKey: 'links',
    filters: { uuid: 'uuid', email: 'text', created: 'stamp' },
    sorts: ['created', 'email'],
    defaultRows: 100,
  },
  input: z.object({ study_id: wire.id() }),
  output: z.object({ links: z.array(linkObject), page: wire.page }),
  errors: [],
})

export const linkGet = defineCall({
  path: 'link/get',
  reads: true,
  summary: 'Reads a link.',
  on: { kind: 'study', by: ['uuid'], may: 'seeLinks', owner: 'link' },
  input: z.object({ uuid: wire.id() }),
  output: linkObject,
  errors: [],
})

export const linkSet = defineCall({
  path: 'link/set',
  summary: `Changes a link that was not revoked: minutes_left lets it end so many minutes from now, max_hits 0 lets it be opened any number of times, an empty password asks for none, unlock lets passwords be tried again. ${limits}`,
  postOnly: true,
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'makeLinks', owner: 'link' },
  input: z.object({
    uuid: wire.id(),
    minutes_left: z.optional(wire.integer()),
    max_hits: z.optional(wire.integer()),
    password: z.optional(wire.clearableText()),
    download: z.optional(wire.flag()),
    unlock: z.optional(wire.flag()),
  }),
  output: wire.statusOnly,
  errors: ['EXPIRED', 'INVALID_FIELD', 'INVALID_FLAG', 'INVALID_INTEGER'],
})

export const linkDelete = defineCall({
  path: 'link/delete',
  summary: 'Revokes a link. Whatever is open through it closes at once, and it never opens again.',
  on: { kind: 'study', by: ['uuid'], may: 'makeLinks', owner: 'link' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: ['EXPIRED'],
})

export const linkStatus = defineCall({
  path: 'link/status',
  reads: true,
  summary: 'Tells whoever has the address of a link what it takes to open it. Counts no use.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({ token: wire.text() }),
  output: z.object({
    action: z.enum(linkActions),
    state: z.enum(linkStates),
    has_password: z.number(),
    password_is_dob: z.number(),
  }),
  errors: ['LOCKOUT'],
})

export const linkSession = defineCall({
  path: 'link/session',
  summary:
    'Opens a link, which counts as one use. The sid reads the studies of the link, opens no call but link/studies, and may stand in an address. A date of birth is sent as a password, YYYYMMDD. error_subtype of EXPIRED is expired, used or ended.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({ token: wire.text(), password: z.optional(wire.clearableText()) }),
  output: z.object({ sid: z.string(), action: z.enum(linkActions), study_count: z.number(), expires_at: z.string() }),
  errors: ['EXPIRED', 'INVALID_CREDENTIALS', 'LOCKOUT', 'PHANTOM'],
})

const shown = studyObject.shape
/** The study as an opened link shows it: UIDs, patient, exam, arrival and counts. */
export const linkedStudy = z.object({
  uuid: shown.uuid,
  study_uid: shown.study_uid,
  phi_namespace: shown.phi_namespace,
  storage_namespace: shown.storage_namespace,
  patient_name: shown.patient_name,
  patientid: shown.patientid,
  patient_sex: shown.patient_sex,
  patient_birth_date: shown.patient_birth_date,
  patient_age: shown.patient_age,
  accession_number: shown.accession_number,
  study_description: shown.study_description,
  study_date: shown.study_date,
  study_time: shown.study_time,
  modality: shown.modality,
  referring_physician: shown.referring_physician,
  arrival: shown.arrival,
  expected_count: shown.expected_count,
  mixed_patients: shown.mixed_patients,
  image_count: shown.image_count,
  series_count: shown.series_count,
  size: shown.size,
})
export type LinkedStudy = z.infer<typeof linkedStudy>

export const linkStudies = defineCall({
  path: 'link/studies',
  reads: true,
  summary: 'Reads the studies of an opened link, with the sid of its session.',
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({}),
  output: z.object({
    studies: z.array(linkedStudy),
    /** Of whoever made the link. */
    message: z.string(),
    /** Organisation in whose name the link was given. */
    account_name: z.string(),
    /** When the link ends. */
    expires_at: z.string(),
    download: z.number(),
  }),
  errors: ['EXPIRED'],
})
