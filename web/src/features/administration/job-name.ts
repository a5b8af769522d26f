import { type LabelKey, t } from '../../labels/label.ts'

const names: Readonly<Record<string, LabelKey & `jobs.name.${string}`>> = {
  'wrap-attachment': 'jobs.name.wrapAttachment',
  'push-study': 'jobs.name.pushStudy',
  'echo-destinations': 'jobs.name.echoDestinations',
  'search-destination': 'jobs.name.searchDestination',
  'retrieve-study': 'jobs.name.retrieveStudy',
  'deliver-share': 'jobs.name.deliverShare',
  'mail-link': 'jobs.name.mailLink',
  'end-share': 'jobs.name.endShare',
  'tell-of-approval': 'jobs.name.tellOfApproval',
  'tell-of-harvest': 'jobs.name.tellOfHarvest',
  'check-audit': 'jobs.name.checkAudit',
  'seal-audit': 'jobs.name.sealAudit',
  purge: 'jobs.name.purge',
  'sweep-caches': 'jobs.name.sweepCaches',
  'sweep-orphans': 'jobs.name.sweepOrphans',
}

/** A job that the pages have no words for yet shows its own name, e.g. `send-to-pacs`. */
export function jobName(job: string): string {
  const key = names[job]
  return key ? t(key) : job
}
