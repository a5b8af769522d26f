import * as z from 'zod/mini'
import { defineCall } from '../call.ts'
import * as wire from '../wire.ts'

/** The wire's words; FINISHED, which it has besides, is never said here: what has ended well is DONE. */
export const jobStates = ['SCHEDULED', 'RUNNING', 'DONE', 'ERROR'] as const
export type JobState = (typeof jobStates)[number]

/** The form of a job's name in `X-AmbraHealth-Job-Id`. Any other value names no job. */
export const jobIdForm = /^[\w-]{1,64}$/

export const jobGet = defineCall({
  path: 'job/get',
  reads: true,
  summary:
    'Tells how far a job is that a request of the caller named in X-AmbraHealth-Job-Id. It is known for a day after its last change.',
  on: { kind: 'caller' },
  input: z.object({ id: wire.naming(wire.text()) }),
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

/** Work behind a reply: it waits for its time or its next try, runs, was given up, or was cancelled. */
export const workStates = ['waiting', 'running', 'failed', 'cancelled'] as const

export const jobList = defineCall({
  path: 'job/list',
  reads: true,
  summary:
    "Lists what the server still does for the caller after its replies, and what it gave up in the last month and why, what is stuck first, then the latest; with account_id, for its administrators, the whole account's. It is sorted by since: when it ended undone, or was asked for.",
  ours: true,
  on: { kind: 'caller' },
  asks: { 'the work of an account': 'administerAccount' },
  list: {
    object: 'work',
    rowsKey: 'work',
    filters: { is_stuck: 'flag', state: 'exact', job: 'exact', created: 'stamp' },
    sorts: ['job', 'state', 'since'],
    defaultRows: 200,
  },
  input: z.object({ account_id: z.optional(wire.id()) }),
  output: z.object({
    work: z.array(
      z.object({
        uuid: z.string(),
        /** Name of the job, e.g. `wrap-attachment`. */
        job: z.string(),
        state: z.enum(workStates),
        /** 1 when it was given up, waits for another try, or waits for more than ten minutes beyond its time; else 0. */
        is_stuck: z.number(),
        /** When it is due, or was. */
        run_at: z.string(),
        tries: z.number(),
        /** Why it did not go well the last time: a code, and words for people; null when it did not fail. */
        error: z.nullable(z.string()),
        message: z.nullable(z.string()),
        /** The user behind the work, by id and name, and its study; empty where there is none. */
        user_id: z.string(),
        user_name: z.string(),
        study_id: z.string(),
        created: z.string(),
        updated: z.string(),
      }),
    ),
    page: wire.page,
  }),
  errors: [],
})

export const jobCancel = defineCall({
  path: 'job/cancel',
  summary:
    "Cancels work of one's own, or of an account that the caller administers: what waits never begins, what runs is told to end.",
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({ uuid: wire.id() }),
  output: z.object({
    /** `running` while a run has not ended yet. */
    state: z.enum(['cancelled', 'running']),
  }),
  errors: [],
})

export const jobRetry = defineCall({
  path: 'job/retry',
  summary:
    "Has work done once more that was given up or cancelled, one's own or of an account that the caller administers.",
  ours: true,
  postOnly: true,
  on: { kind: 'caller' },
  input: z.object({ uuid: wire.id() }),
  output: wire.statusOnly,
  errors: [],
})
