import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { studyObject } from '../entities/study.ts'
import { linkPinMinutes } from '../limits.ts'
import * as wire from '../wire.ts'
import { linkActions, linkStates } from './link.ts'

export const linkStatus = defineCall({
  path: 'link/status',
  reads: true,
  summary:
    'Tells whoever has the address of a link what it takes to open it. Counts no use. again is as for link/session: then a request that is used up answers as open, without a code.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({ token: wire.text(), again: z.optional(wire.clearableText()) }),
  output: z.object({
    action: z.enum(linkActions),
    state: z.enum(linkStates),
    has_password: z.number(),
    password_is_dob: z.number(),
    pin_auth: z.number(),
  }),
  errors: ['LOCKOUT'],
})

export const linkPinSend = defineCall({
  path: 'link/pin/send',
  summary: `Mails a code to the addressee of a link that asks for one; the code before it holds no more. A code holds for ${linkPinMinutes} minutes, opens the link once, and a link sends three in a quarter of an hour. LOCKOUT after that, with error_subtype pin.`,
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({ token: wire.text() }),
  /** `has_smtp`: 0 where no mail server is set up, and no code leaves. */
  output: z.object({ has_smtp: z.number() }),
  errors: ['EXPIRED', 'INVALID_FIELD', 'LOCKOUT', 'PHANTOM'],
})

export const linkSession = defineCall({
  path: 'link/session',
  summary:
    'Opens a link, which counts as one use. The sid reads the studies of the link, opens no call but link/studies, and may stand in an address; that of a request opens link/request and the calls and the route that upload by a link. A date of birth is sent as a password, YYYYMMDD. error_subtype of EXPIRED is expired, used or ended. pin is the code that link/pin/send mailed; a wrong one counts like a wrong password. again, ours, is the hex SHA-256 of the sid of an earlier session of the same request that has not ended: opening goes on with that use, needs no code, counts none, and ends when that session does.',
  postOnly: true,
  on: { kind: 'anyone' },
  input: z.object({
    token: wire.text(),
    password: z.optional(wire.clearableAnyText()),
    pin: z.optional(wire.clearableText()),
    again: z.optional(wire.clearableText()),
  }),
  output: z.object({ sid: z.string(), action: z.enum(linkActions), study_count: z.number(), expires_at: z.string() }),
  errors: ['EXPIRED', 'INVALID_CREDENTIALS', 'INVALID_PIN', 'LOCKOUT', 'PHANTOM', 'PIN_EXPIRED'],
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
  /** Attached files that the link shows; 0 where it shows none. */
  attachment_count: shown.attachment_count,
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
    /** The link shows reports and attached files. */
    attachments: z.number(),
  }),
  errors: ['EXPIRED'],
})

/** Apart from the calls that are asked again and again: a logo may have 64 KB. */
export const linkBrand = defineCall({
  path: 'link/brand',
  reads: true,
  summary:
    'Reads the logo and the colour of the organisation behind an opened link or request, with the sid of its session.',
  postOnly: true,
  ours: true,
  on: { kind: 'anyone' },
  input: z.object({}),
  output: z.object({
    /** A picture as a data URL; empty where the organisation has none. */
    brand_logo: z.string(),
    /** `#rrggbb`; empty where the organisation has none. */
    brand_color: z.string(),
  }),
  errors: ['EXPIRED'],
})
