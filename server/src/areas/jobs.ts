import type { Services } from '../services.ts'
import { sealAudit } from './audit/seal-audit.job.ts'
import { sweepRefusals } from './audit/sweep-refusals.job.ts'
import { sweepReports } from './report/sweep-reports.job.ts'
import { writeMetadata } from './dicomweb/write-metadata.job.ts'
import { sweepEvents } from './event/sweep-events.job.ts'
import { type Job, type JobActs, makeJob } from './job.ts'
import { declaredJobs, type PayloadOf } from './job/declared-jobs.ts'
import { sweepJobsAt } from './job/sweep-jobs.job.ts'
import { sendWaitingMails } from './mail/send-waiting-mails.command.ts'
import { sweepAssociations } from './node/sweep-associations.job.ts'
import { attachWaitingReports } from './order/attach-waiting-reports.job.ts'
import { sweepOrderMessages } from './order/sweep-order-messages.job.ts'
import { askRulesAgain } from './route/ask-again.job.ts'
import { lookAtRules, wakeRules } from './route/look-at-rules.job.ts'
import { runRouteActs } from './route/run-route.job.ts'
import { sweepSessions } from './session/sweep-sessions.job.ts'
import { completeQuietStudies } from './ingest/complete-study.command.ts'
import { purge } from './retention/purge.job.ts'
import { remindOfLinks, remindOfShortLinks } from './link/remind-of-links.job.ts'
import { sweepLinks } from './link/sweep-links.job.ts'
import { endAbandonedUploads } from './link/tell-use.command.ts'
import { sweepCaches } from './pictures/sweep-caches.job.ts'
import { sweepOrphans } from './retention/sweep-objects.job.ts'
import { mailOfCertificate } from './installation/mail-of-certificate.command.ts'
import { tellOfFailingRule } from './installation/tell-of-failing-rule.job.ts'
import { tendCertificate } from './installation/tend-certificate.command.ts'
import { mailOfDisk } from './retention/mail-of-disk.command.ts'
import { tendDisk } from './retention/tend-disk.command.ts'
import { wrapAttachmentActs } from './attachments/wrap-attachment.job.ts'
import { completeSharedStudies } from './study/complete-shared.command.ts'
import { searchDestinationActs } from './retrieve/search-destination.job.ts'
import { retrieveStudyActs } from './retrieve/retrieve-study.job.ts'
import { echoDestination, echoDestinations } from './destination/echo-destinations.job.ts'
import { sweepSearches } from './retrieve/sweep-searches.job.ts'
import { makeNamelessActs } from './study/make-nameless.job.ts'
import { checkAuditActs } from './audit/check-audit.job.ts'
import { askCommitmentActs, endCommitmentActs } from './push/ask-commitment.job.ts'
import { followSeparation } from './separation/follow-separation.job.ts'
import { makeSeparationActs } from './separation/make-separation.job.ts'
import { pushStudyActs } from './push/push-study.job.ts'
import { reportCommitmentActs } from './query/report-commitment.job.ts'
import { deliverShareActs } from './study/deliver-share.job.ts'
import { endShareInTime } from './study/end-share.job.ts'
import { mailLinkActs } from './link/mail-link.job.ts'
import { sweepPhantoms } from './study/sweep-phantoms.job.ts'
import { tellOfApproval } from './user/tell-of-approval.job.ts'
import { tellOfHarvest } from './user/tell-of-harvest.job.ts'
import { callWebhook } from './webhook/call-webhook.job.ts'
import { sweepDeliveriesAt } from './webhook/sweep-deliveries.job.ts'

/** The acts of each declared job; a job without an entry does not compile. */
const acts: { [Name in keyof typeof declaredJobs]: JobActs<PayloadOf<Name>> } = {
  sweepEvents: { run: sweepEvents },
  sweepSessions: { run: sweepSessions },
  sweepLinks: { run: sweepLinks },
  remindOfLinks: { run: remindOfLinks },
  remindOfShortLinks: { run: remindOfShortLinks },
  sweepRefusals: { run: sweepRefusals },
  sweepReports: { run: sweepReports },
  sweepPhantoms: { run: sweepPhantoms },
  sweepAssociations: { run: sweepAssociations },
  sweepOrderMessages: { run: sweepOrderMessages },
  attachWaitingReports: { run: attachWaitingReports },
  sweepDeliveries: { run: (services, _payload, { signal }) => sweepDeliveriesAt(services, new Date(), signal) },
  sweepJobs: { run: (services) => sweepJobsAt(services, new Date()) },
  sealAudit: { run: async (services) => void (await sealAudit(services, new Date())) },
  sweepCaches: { run: async (services) => void (await sweepCaches(services, new Date())) },
  purge: { run: async (services) => void (await purge(services, new Date())) },
  sweepOrphans: { run: (services, payload) => sweepOrphans(services, payload) },
  wrapAttachment: wrapAttachmentActs,
  makeNameless: makeNamelessActs,
  checkAudit: checkAuditActs,
  makeSeparation: makeSeparationActs,
  followSeparation: { run: followSeparation },
  pushStudy: pushStudyActs,
  askCommitment: askCommitmentActs,
  endCommitment: endCommitmentActs,
  reportCommitment: reportCommitmentActs,
  searchDestination: searchDestinationActs,
  retrieveStudy: retrieveStudyActs,
  echoDestinations: { run: echoDestinations },
  echoDestination: { run: echoDestination },
  sweepSearches: { run: sweepSearches },
  deliverShare: deliverShareActs,
  mailLink: mailLinkActs,
  lookAtRules: { run: lookAtRules },
  askRulesAgain: { run: askRulesAgain },
  runRoute: runRouteActs,
  tellOfFailingRule: { run: tellOfFailingRule },
  wakeRules: { run: wakeRules },
  callWebhook: { run: callWebhook },
  endShare: { run: endShareInTime },
  writeMetadata: { run: writeMetadata },
  tellOfApproval: { run: tellOfApproval },
  tellOfHarvest: { run: tellOfHarvest },
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
export const roundsOfEveryProcess: readonly Round[] = [
  { name: 'tend-disk', run: (services) => tendDisk(services) },
  { name: 'mail-of-disk', run: (services) => mailOfDisk(services, new Date()) },
  { name: 'tend-certificate', run: async (services) => tendCertificate(services) },
  { name: 'mail-of-certificate', run: (services) => mailOfCertificate(services, new Date()) },
]

/** Done every few seconds by every worker; each takes only what no other has locked. */
export const roundsOfWorkers: readonly Round[] = [
  { name: 'complete-quiet-studies', run: (services) => completeQuietStudies(services, new Date()) },
  { name: 'complete-shared-studies', run: (services) => completeSharedStudies(services) },
  { name: 'end-abandoned-uploads', run: (services) => endAbandonedUploads(services) },
  { name: 'send-waiting-mails', run: (services) => sendWaitingMails(services) },
]
