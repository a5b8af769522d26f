import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

export const userEvent = defineCall({
  path: 'user/event',
  reads: true,
  summary: 'Tells of which events of a namespace the caller is mailed.',
  on: { kind: 'namespace', by: ['namespace_id'], may: 'enterPlace' },
  input: z.object({ namespace_id: wire.id() }),
  output: z.object({
    /** A study was shared into the namespace; of the personal one people are mailed unless they chose otherwise. */
    event_share: z.number(),
    /** Studies came by DICOM into the namespace. The choice for the personal one holds for every group without a choice of its own. */
    event_harvest: z.number(),
    /** Exams wait for approval. The choice for the personal namespace holds for every place where the person may approve. */
    event_approve: z.number(),
  }),
  errors: [],
})

export const userEventSet = defineCall({
  path: 'user/event/set',
  summary: 'Chooses of which events of a namespace the caller is mailed.',
  on: { kind: 'namespace', by: ['namespace_id'], may: 'chooseNotices' },
  input: z.object({
    namespace_id: wire.id(),
    event_share: z.optional(wire.flag()),
    event_harvest: z.optional(wire.flag()),
    event_approve: z.optional(wire.flag()),
  }),
  output: wire.statusOnly,
  errors: ['INVALID_FLAG'],
})
