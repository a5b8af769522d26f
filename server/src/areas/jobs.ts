import type { Services } from '../services.ts'
import { sealAudit } from './audit/seal-audit.job.ts'
import { sweepRefusals } from './audit/sweep-refusals.job.ts'
import { sweepEvents } from './event/sweep-events.job.ts'
import { type Job, type JobActs, makeJob } from './job.ts'
import { declaredJobs, type PayloadOf } from './job/declared-jobs.ts'
import { sweepJobsAt } from './job/sweep-jobs.job.ts'
import { sendWaitingMails } from './mail/send-waiting-mails.command.ts'
import { sweepAssociations } from './node/sweep-associations.job.ts'
import { sweepSessions } from './session/sweep-sessions.job.ts'
import { completeQuietStudies } from './storage/complete-study.command.ts'
import { purge } from './storage/purge.job.ts'
import { sweepCaches } from './storage/sweep-caches.job.ts'
import { sweepOrphans } from './storage/sweep-objects.job.ts'
import { tendDisk } from './storage/tend-disk.command.ts'
import { wrapAttachmentActs } from './storage/wrap-attachment.job.ts'
import { completeSharedStudies } from './study/complete-shared.command.ts'
import { deliverShareActs } from './study/deliver-share.job.ts'
import { endShareInTime } from './study/end-share.job.ts'
import { sweepPhantoms } from './study/sweep-phantoms.job.ts'

/** The acts of each declared job; a job without an entry does not compile. */
const acts: { [Name in keyof typeof declaredJobs]: JobActs<PayloadOf<Name>> } = {
  sweepEvents: { run: sweepEvents },
  sweepSessions: { run: sweepSessions },
  sweepRefusals: { run: sweepRefusals },
  sweepPhantoms: { run: sweepPhantoms },
  sweepAssociations: { run: sweepAssociations },
  sweepJobs: { run: (services) => sweepJobsAt(services, new Date()) },
  sealAudit: { run: async (services) => void (await sealAudit(services, new Date())) },
  sweepCaches: { run: async (services) => void (await sweepCaches(services, new Date())) },
  purge: { run: async (services) => void (await purge(services, new Date())) },
  sweepOrphans: { run: (services, payload) => sweepOrphans(services, payload) },
  wrapAttachment: wrapAttachmentActs,
  deliverShare: deliverShareActs,
  endShare: { run: endShareInTime },
}

/** All the work that no request waits for: given out by the queue, or when its time has come. */
export const jobs: readonly Job[] = Object.entries(declaredJobs).map(([name, declared]) =>
  // each name's acts take what its declaration reads
  makeJob(declared as never, acts[name as keyof typeof acts] as never),
)

interface Round {
  name: string
  run: (services: Services) => Promise<unknown>
}

/** Done every few seconds by every process, whatever its roles: each has disks to look after. */
export const roundsOfEveryProcess: readonly Round[] = [{ name: 'tend-disk', run: (services) => tendDisk(services) }]

/** Done every few seconds by every worker; each takes only what no other has locked. */
export const roundsOfWorkers: readonly Round[] = [
  { name: 'complete-quiet-studies', run: (services) => completeQuietStudies(services, new Date()) },
  { name: 'complete-shared-studies', run: (services) => completeSharedStudies(services) },
  { name: 'send-waiting-mails', run: (services) => sendWaitingMails(services) },
]
