import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/** Needs of a new organisation until it receives its first study, in the order in which it is done. */
export const firstStepNames = ['name', 'self', 'group', 'people', 'sender', 'mail', 'certificate', 'study'] as const
export type FirstStep = (typeof firstStepNames)[number]

const firstStepsObject = z.object({
  /** As the server finds them now; nothing is ticked off by hand. */
  steps: z.array(z.object({ step: z.enum(firstStepNames), done: flagOut })),
  group_count: z.number(),
  /** Groups without anybody in them. */
  unattended_groups: z.array(z.string()),
  people_count: z.number(),
  /** People who were invited and have not signed in yet. */
  invited_count: z.number(),
  /** Groups that DICOM programs can call, at most ten. */
  titles: z.array(
    z.object({
      group_name: z.string(),
      ae_title: z.string(),
      /** As people write them; none where programs of this machine alone may send. */
      senders: z.array(z.string()),
    }),
  ),
  /** Address of the listener; empty where it listens at all addresses of the machine. */
  dicom_host: z.string(),
  /** 1 where programs of the same machine alone reach the listener, as HILUM_DICOM_HOST says. */
  dicom_is_local: flagOut,
  /** Port for DICOM senders, of the settings; 0 where the system chooses one. */
  dicom_port: z.number(),
  has_smtp: flagOut,
  mail: z.object({
    /** Of the last test mail. */
    state: z.enum(['none', 'waiting', 'sent', 'failed']),
    recipient: z.string(),
    error: z.string(),
  }),
  certificate: z.object({
    /** From the files of the settings, made by this server itself, or left to a proxy in front of it. */
    kind: z.enum(['files', 'self_signed', 'proxy']),
    /** `YYYY-MM-DD`; empty for a proxy's. */
    ends: z.string(),
  }),
  /** A study that arrived; null before the first. */
  study: z.nullable(
    z.object({
      group_id: z.string(),
      place_name: z.string(),
      arrived: z.string(),
      source: z.string(),
      ae_title: z.string(),
    }),
  ),
})
export type FirstSteps = z.infer<typeof firstStepsObject>

export const accountFirstSteps = defineCall({
  path: 'account/first/steps',
  reads: true,
  summary:
    'Tells administrators how far a new organisation is set up: its name, their own, groups, people, DICOM senders, mail, certificate, and whether a study has arrived.',
  ours: true,
  on: { kind: 'account', by: ['account_id'], may: 'administerAccount' },
  input: z.object({ account_id: wire.id() }),
  output: firstStepsObject,
  errors: [],
})
