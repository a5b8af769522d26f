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
  sweepLinks: byClock('sweep-links', { clock: { minute: 11 }, retries: 2, expireSeconds: 120 }),
  remindOfLinks: byClock('remind-of-links', { clock: { minute: 51 }, retries: 2, expireSeconds: 300 }),
  remindOfShortLinks: byClock('remind-of-short-links', { clock: {}, retries: 0, expireSeconds: 300 }),
  sweepPhantoms: byClock('sweep-phantoms', { clock: { minute: 43 }, retries: 2, expireSeconds: 300 }),
  sweepAssociations: byClock('sweep-dicom-associations', {
    clock: { hour: 3, minute: 41 },
    retries: 2,
    expireSeconds: 300,
  }),
  sweepOrderMessages: byClock('sweep-order-messages', {
    clock: { hour: 3, minute: 47 },
    retries: 2,
    expireSeconds: 300,
  }),
  // a minute is what whoever looks for the report of a new exam waits
  attachWaitingReports: byClock('attach-waiting-reports', { clock: {}, retries: 0, expireSeconds: 600 }),
  sweepReports: byClock('sweep-reports', { clock: { minute: 31 }, retries: 2, expireSeconds: 120 }),
  sweepRefusals: byClock('sweep-refusals', { clock: { hour: 3, minute: 41 }, retries: 2, expireSeconds: 600 }),
  sweepDeliveries: byClock('sweep-deliveries', { clock: { hour: 3, minute: 53 }, retries: 2, expireSeconds: 600 }),
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
  /** Holds the audit of an account against its seals; a run that broke off begins anew. */
  checkAudit: declare({
    name: 'check-audit',
    payload: z.object({ checkUuid: z.guid(), accountUuid: z.guid() }),
    atOnce: 1,
    retries: 2, // for runs whose process ended
    expireSeconds: 14_400,
  }),
  /** Makes a copy of a study without names; in each namespace one after the other. */
  makeNameless: declare({
    name: 'make-nameless',
    payload: z.object({ copyUuid: z.guid() }),
    atOnce: 2,
    retries: 2, // for runs whose process ended
    expireSeconds: 14_400,
  }),
  /** Stores the images that a person moves to another study anew, and shows them there; one after the other in a namespace. */
  makeSeparation: declare({
    name: 'make-separation',
    payload: z.object({ separationUuid: z.guid() }),
    atOnce: 2,
    retries: 3, // for runs whose process ended, or beside which images came
    expireSeconds: 14_400,
  }),
  /** Stores images anew that came after others of their study had moved to another. */
  followSeparation: declare({
    name: 'follow-separation',
    payload: z.object({ separationUuid: z.guid() }),
    atOnce: 2,
    retries: 12,
    expireSeconds: 14_400,
  }),
  /** Sends a study to a destination; each destination is a lane, so that one that hangs delays no other. */
  pushStudy: declare({
    name: 'push-study',
    payload: z.object({ pushUuid: z.guid() }),
    atOnce: 6,
    // some hours, as the pauses grow: a peer may be off for a while
    retries: 12,
    expireSeconds: 14_400,
  }),
  /** Asks a destination to commit itself to the images of a push; a lane of its own, so that it delays no push. */
  askCommitment: declare({
    name: 'ask-commitment',
    payload: z.object({ pushUuid: z.guid() }),
    atOnce: 4,
    retries: 8,
    expireSeconds: 3_600,
  }),
  /** Tells that a destination has not reported in time. */
  endCommitment: declare({
    name: 'end-commitment',
    payload: z.object({ pushUuid: z.guid() }),
    atOnce: 1,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Reports to a peer which of its images are stored here. */
  reportCommitment: declare({
    name: 'report-commitment',
    payload: z.object({ questionUuid: z.guid() }),
    atOnce: 4,
    retries: 12,
    expireSeconds: 3_600,
  }),
  /** Asks a destination for studies; its person waits, so that it is not tried again. */
  searchDestination: declare({
    name: 'search-destination',
    payload: z.object({ searchUuid: z.guid() }),
    atOnce: 12,
    retries: 0,
    expireSeconds: 180,
  }),
  /** Fetches a study from a destination. */
  retrieveStudy: declare({
    name: 'retrieve-study',
    payload: z.object({ retrievalUuid: z.guid() }),
    atOnce: 6,
    retries: 3,
    expireSeconds: 14_400,
  }),
  /** Has each destination asked whether it answers, every few minutes. */
  echoDestinations: byClock('echo-destinations', { clock: {}, retries: 0, expireSeconds: 60 }),
  /** Asks one destination by C-ECHO; each is a lane of its own. */
  echoDestination: declare({
    name: 'echo-destination',
    payload: z.object({ destinationUuid: z.guid() }),
    atOnce: 8,
    retries: 0, // the clock asks again
    expireSeconds: 60,
  }),
  sweepSearches: byClock('sweep-destination-searches', { clock: { minute: 51 }, retries: 2, expireSeconds: 300 }),
  /** Delivers a share that was to wait. */
  deliverShare: declare({
    name: 'deliver-share',
    payload: z.object({ shareUuid: z.guid() }),
    atOnce: 1,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Mails the address of a link that was to wait. */
  mailLink: declare({
    name: 'mail-link',
    payload: z.object({
      linkUuid: z.guid(),
      /** Of the web app. */
      address: z.string(),
    }),
    atOnce: 1,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Has the routing rules of a place look at a study that came there. */
  lookAtRules: declare({
    name: 'look-at-rules',
    payload: z.object({
      studyUuid: z.guid(),
      trigger: z.enum(['upload', 'harvest', 'share']),
      /** A rule looks once on each occasion. */
      occasion: z.string(),
      /** How often the study became ready; rules tell late images by it. */
      number: z.number(),
      /** Rules by which the study came. */
      chain: z.array(z.guid()),
    }),
    atOnce: 2,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Has the routing rules look again at a study on which they failed, since the record changed. */
  askRulesAgain: declare({
    name: 'ask-rules-again',
    payload: z.object({ studyUuid: z.guid() }),
    atOnce: 2,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Does what a routing rule does, on one study. */
  runRoute: declare({
    name: 'run-route',
    payload: z.object({ runUuid: z.guid() }),
    atOnce: 2,
    retries: 5,
    expireSeconds: 300,
  }),
  /** Mails the administrators of an account that a routing rule fails. */
  tellOfFailingRule: declare({
    name: 'tell-of-failing-rule',
    payload: z.object({ accountUuid: z.guid(), ruleUuid: z.guid() }),
    atOnce: 1,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Begins the runs that waited for the approval of a study. */
  wakeRules: declare({
    name: 'wake-rules',
    payload: z.object({ studyUuid: z.guid() }),
    atOnce: 2,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Calls a webhook; a call that the other side refused is asked for anew by the act itself. */
  callWebhook: declare({
    name: 'call-webhook',
    payload: z.object({ deliveryUuid: z.guid() }),
    // an account has two of these, and all that a call does is wait
    atOnce: 12,
    retries: 5,
    expireSeconds: 60,
  }),
  /** Ends a share whose time is over. */
  endShare: declare({
    name: 'end-share',
    payload: z.object({ shareUuid: z.guid() }),
    atOnce: 1,
    retries: 5,
    expireSeconds: 120,
  }),
  /** Writes the metadata of a record's series; one record at a time in the whole installation, in nobody's way. */
  writeMetadata: declare({
    name: 'write-metadata',
    payload: z.object({ studyUuid: z.guid() }),
    atOnce: 1,
    retries: 2,
    expireSeconds: 3_600,
  }),
  /** Mails that exams wait for approval in a namespace. */
  tellOfApproval: declare({
    name: 'tell-of-approval',
    payload: z.object({ namespaceUuid: z.guid() }),
    atOnce: 1,
    retries: 2,
    expireSeconds: 120,
  }),
  /** Mails of what was harvested into a namespace, or came by its share code, in the last minutes. */
  tellOfHarvest: declare({
    name: 'tell-of-harvest',
    payload: z.object({ namespaceUuid: z.guid() }),
    atOnce: 1,
    retries: 2,
    expireSeconds: 120,
  }),
}

/** The payload of a declared job. */
export type PayloadOf<Name extends keyof typeof declaredJobs> =
  (typeof declaredJobs)[Name] extends DeclaredJob<infer Payload> ? Payload : never
