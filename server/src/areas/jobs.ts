import type { Services } from '../services.ts'
import { sealAuditRows } from './audit/seal-audit.job.ts'
import { sweepEvents } from './event/sweep-events.job.ts'
import type { Job } from './job.ts'
import { sweepJobs } from './job/sweep-jobs.job.ts'
import { sweepAssociations } from './node/sweep-associations.job.ts'
import { sendWaitingMails } from './mail/send-waiting-mails.command.ts'
import { sweepSessions } from './session/sweep-sessions.job.ts'
import { completeQuietStudies } from './storage/complete-study.command.ts'
import { purgeDeleted } from './storage/purge.job.ts'
import { sweepCachesHourly } from './storage/sweep-caches.job.ts'
import { wrapAttachmentJob } from './storage/wrap-attachment.job.ts'
import { sweepOrphans } from './storage/sweep-objects.job.ts'
import { sweepPhantoms } from './study/sweep-phantoms.job.ts'

/** All the work that no request waits for. */
export const jobs = {
  /** Given out by the queue, one process at a time each. */
  queued: [
    sweepEvents,
    sweepSessions,
    sweepPhantoms,
    sweepAssociations,
    sweepJobs,
    wrapAttachmentJob,
    sweepOrphans,
    purgeDeleted,
    sealAuditRows,
    sweepCachesHourly,
  ] as readonly Job<object>[],
  /** Looked after every few seconds by every process; each takes only what no other has locked. */
  ticking: [
    { name: 'complete-quiet-studies', run: (services: Services) => completeQuietStudies(services, new Date()) },
    { name: 'send-waiting-mails', run: (services: Services) => sendWaitingMails(services) },
  ] as readonly { name: string; run: (services: Services) => Promise<unknown> }[],
}
