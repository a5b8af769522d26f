import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** The wire's words; FINISHED, which it has besides, is never said here: what has ended well is DONE. */
export const jobStates = ['SCHEDULED', 'RUNNING', 'DONE', 'ERROR'] as const
export type JobState = (typeof jobStates)[number]

/** What a request may name its job in `X-AmbraHealth-Job-Id`. Anything else names none. */
export const jobIdForm = /^[\w-]{1,64}$/

export const jobGet = defineCall({
  path: 'job/get',
  summary:
    'Tells how far a job is that a request of the caller named in X-AmbraHealth-Job-Id. It is known for a day after its last change.',
  on: { kind: 'caller' },
  input: z.object({ id: wire.text() }),
  output: z.object({
    id: z.string(),
    state: z.enum(jobStates),
    namespace_id: z.string(),
    /** Of a download bytes, of a rendering pages, of anything else requests. */
    sent: z.number(),
    /** Null where it is not known. */
    total: z.nullable(z.number()),
    /** Of a job in state ERROR: a code of the storage API, and words. */
    error: z.nullable(z.string()),
    message: z.nullable(z.string()),
    created: z.string(),
    updated: z.string(),
  }),
  errors: [],
})
