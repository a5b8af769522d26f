import { z } from 'zod'
import type { DeclaredJob } from '../job.ts'

const nothing = z.object({})

/** Housekeeping: one run at a time in the whole installation. */
function byClock(name: string, job: Pick<DeclaredJob, 'clock' | 'retries' | 'expireSeconds'>): DeclaredJob {
  return { name, payload: nothing, atOnce: 1, ...job }
}

function declare<Payload extends object>(job: DeclaredJob<Payload>): DeclaredJob<Payload> {
  return job
}

/** Every kind of work that no request waits for; `jobs.ts` says what each does. */
export const declaredJobs = {
  sweepEvents: byClock('sweep-events', { clock: { minute: 17 }, retries: 2, expireSeconds: 120 }),
  sweepSessions: byClock('sweep-sessions', { clock: { minute: 29 }, retries: 2, expireSeconds: 120 }),
  sweepPhantoms: byClock('sweep-phantoms', { clock: { minute: 43 }, retries: 2, expireSeconds: 300 }),
  sweepAssociations: byClock('sweep-dicom-associations', {
    clock: { hour: 3, minute: 41 },
    retries: 2,
    expireSeconds: 300,
  }),
  sweepRefusals: byClock('sweep-refusals', { clock: { hour: 3, minute: 41 }, retries: 2, expireSeconds: 600 }),
  sweepJobs: byClock('sweep-jobs', { clock: { minute: 37 }, retries: 2, expireSeconds: 120 }),
  // the next minute or hour is the next try
  sealAudit: byClock('seal-audit', { clock: {}, retries: 0, expireSeconds: 600 }),
  sweepCaches: byClock('sweep-caches', { clock: { minute: 23 }, retries: 0, expireSeconds: 3_000 }),
  purge: byClock('purge', { clock: { hour: 2, minute: 37 }, retries: 2, expireSeconds: 14_400 }),
  sweepOrphans: declare({
    name: 'sweep-orphans',
    payload: z.object({ after: z.optional(z.string()) }),
    clock: { hour: 3, minute: 7 },
    atOnce: 1,
    retries: 2,
    expireSeconds: 3_600,
  }),
  /** Makes images of what was attached; in each namespace one attachment after the other. */
  wrapAttachment: declare({
    name: 'wrap-attachment',
    payload: z.object({
      userUuid: z.guid(),
      studyUuid: z.guid(),
      id: z.guid(),
      version: z.guid(),
      /** Seed of the UIDs of the images, so that work given out twice makes each image once. */
      seriesKey: z.string(),
      /** The job of the wire that is told how far it is. */
      job: z.optional(z.object({ jobId: z.string(), userUuid: z.guid(), namespaceUuid: z.guid() })),
    }),
    atOnce: 2,
    retries: 2, // for runs whose process ended
    expireSeconds: 900,
  }),
  /** Delivers a share that was to wait. */
  deliverShare: declare({
    name: 'deliver-share',
    payload: z.object({ shareUuid: z.guid() }),
    atOnce: 1,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Ends a share whose time is over. */
  endShare: declare({
    name: 'end-share',
    payload: z.object({ shareUuid: z.guid() }),
    atOnce: 1,
    retries: 5,
    expireSeconds: 120,
  }),
}

/** The payload of a declared job. */
export type PayloadOf<Name extends keyof typeof declaredJobs> =
  (typeof declaredJobs)[Name] extends DeclaredJob<infer Payload> ? Payload : never
