import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import { linkObject } from './link.ts'
import { byTriplet, byUuid } from './study.ts'

/** Most requests that are listed of one study, of each kind. */
export const maxStudyRequests = 50

export const studyRequests = defineCall({
  path: 'study/requests',
  reads: true,
  summary: `Requests for studies of the namespace that concern this study: those by which its images came, and open ones that expect a patient who is likely the patient of this study. The newest first, at most ${maxStudyRequests} of each.`,
  ours: true,
  on: { kind: 'study', by: ['uuid'], may: 'seePendingRequests' },
  input: z.object({ ...byUuid, ...byTriplet }),
  output: z.object({
    /** Requests by which images of this study came. */
    came_by: z.array(linkObject),
    /** Open requests that expect this patient; empty for a caller from whom fields of studies are hidden. */
    expecting: z.array(linkObject),
    /** Other open requests of the namespace. */
    others: z.number(),
  }),
  errors: [],
})
