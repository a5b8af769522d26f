import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { flagOut } from '../entities/page-fields.ts'
import * as wire from '../wire.ts'

/** Kinds of things that a person holds in an organisation and leaves behind. */
export const holdingKinds = [
  'studies',
  'links',
  'requests',
  'searches',
  'rules',
  'nominations',
  'exams',
  'keys',
] as const
export type HoldingKind = (typeof holdingKinds)[number]

/** A key acts in its person's name, so that nobody takes one over; a nomination is withdrawn at its study. */
export const holdingActs: Readonly<Record<HoldingKind, { mayHandOver: boolean; mayEnd: boolean }>> = {
  studies: { mayHandOver: true, mayEnd: true },
  links: { mayHandOver: true, mayEnd: true },
  requests: { mayHandOver: true, mayEnd: true },
  searches: { mayHandOver: true, mayEnd: true },
  rules: { mayHandOver: true, mayEnd: true },
  nominations: { mayHandOver: true, mayEnd: false },
  exams: { mayHandOver: true, mayEnd: true },
  keys: { mayHandOver: false, mayEnd: true },
}

const holding = { kind: z.enum(holdingKinds), count: z.number() }
/** One of the things: a name of its own (a rule, a search, a key), or whom it was given to; and the exam that it is about. */
const heldThing = z.object({
  name: z.string(),
  /** Place of the exam or of the rule. */
  namespace_name: z.string(),
  patient_name: z.string(),
  patientid: z.string(),
  study_description: z.string(),
  study_date: z.string(),
  expires_at: z.nullable(z.string()),
})
export type HeldThing = z.infer<typeof heldThing>
const leaver = {
  user_id: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  /** 1 for somebody who can work in the organisation still. */
  is_active: flagOut,
}

export const accountUserHoldings = defineCall({
  path: 'account/user/holdings',
  reads: true,
  summary:
    'Counts what a person holds in an account, also somebody who was taken out of it: personal studies, links and requests that are open, saved searches, routing rules, nominations that wait, exams in progress, and keys of programs. Of somebody who cannot work there any more the five oldest of each kind are named.',
  ours: true,
  on: { kind: 'account', by: ['uuid'], may: 'administerAccount' },
  input: z.object({ uuid: wire.id(), user_id: wire.id() }),
  output: z.object({
    ...leaver,
    /** `first`: the oldest five, of somebody who cannot work in the account any more. */
    holdings: z.array(z.object({ ...holding, first: z.array(heldThing) })),
    /** Names of the routing rules that share with the person: they fail once the person is gone. */
    routes: z.array(z.string()),
  }),
  errors: ['USER_NOT_FOUND'],
})

export const accountUserLeavers = defineCall({
  path: 'account/user/leavers',
  reads: true,
  summary: 'Lists people who cannot work in an account any more and still hold something there, by name.',
  ours: true,
  on: { kind: 'account', by: ['uuid'], may: 'administerAccount' },
  list: { object: 'leaver', rowsKey: 'leavers', filters: {}, sorts: ['user_name', 'user_email'], defaultRows: 100 },
  input: z.object({ uuid: wire.id() }),
  output: z.object({
    leavers: z.array(z.object({ ...leaver, holdings: z.array(z.object(holding)) })),
    page: wire.page,
  }),
  errors: [],
})

export const accountUserHandOver = defineCall({
  path: 'account/user/hand/over',
  summary:
    'Hands one kind of things of a person who is disabled or gone over to an active person of the account (to_user_id), who is told by mail, or ends them (end=1). Personal studies are shared with that person, and go to the bin when they are ended. At most 200 at once; left tells how many remain.',
  ours: true,
  on: { kind: 'account', by: ['uuid'], may: 'administerAccount' },
  input: z.object({
    uuid: wire.id(),
    user_id: wire.id(),
    kind: wire.oneOf(holdingKinds, 'INVALID_TYPE'),
    to_user_id: z.optional(wire.id()),
    end: z.optional(wire.flag()),
  }),
  output: z.object({
    count: z.number(),
    /** Things of this kind that the person holds still, some of which may not be taken over by this receiver. */
    left: z.number(),
  }),
  errors: ['INVALID_FLAG', 'INVALID_PARAMETERS', 'INVALID_TYPE', 'USER_NOT_FOUND'],
})
