import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

export const userEvent = defineCall({
  path: 'user/event',
  reads: true,
  summary:
    'Tells of which events of a namespace the caller is mailed, or with uuid another person who belongs to it, to whoever has user_view_others_notifications in the account.',
  on: { kind: 'namespace', by: ['namespace_id'], may: 'enterPlace' },
  asks: { 'another person': 'seeOthersNotices' },
  input: z.object({ namespace_id: wire.id(), uuid: z.optional(wire.id()) }),
  output: z.object({
    /** A study was shared into the namespace; of the personal one people are mailed unless they chose otherwise. */
    event_share: z.number(),
    /** Studies came by DICOM into the namespace. The choice for the personal one holds for every group without a choice of its own. */
    event_harvest: z.number(),
    /** Exams wait for approval. The choice for the personal namespace holds for every place where the person may approve. */
    event_approve: z.number(),
  }),
  errors: ['NOT_MEMBER'],
})

export const userEventSet = defineCall({
  path: 'user/event/set',
  summary:
    'Chooses of which events of a namespace the caller is mailed or with uuid another person who belongs to it, for whoever has user_modify_others_notifications in the account besides.',
  on: { kind: 'namespace', by: ['namespace_id'], may: 'chooseNotices' },
  asks: { 'another person': 'chooseOthersNotices' },
  input: z.object({
    namespace_id: wire.id(),
    uuid: z.optional(wire.id()),
    event_share: z.optional(wire.flag()),
    event_harvest: z.optional(wire.flag()),
    event_approve: z.optional(wire.flag()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_FLAG', 'NOT_MEMBER'],
})
