import { type InstallationNotice, installationNotices } from '@hilum/contract/calls/account'
import type { CertificateLevel } from '../../certificate-term.ts'
import type { DiskLevel } from '../../outbound/storage/disk-space.ts'
import { toStamp } from '../../db/to-stamp.ts'
import type { Services } from '../../services.ts'
import { findFailedMails } from '../mail/mail.sql.ts'
import { findStoreFault } from '../storage/store-failure.ts'
import { countFailingRules } from './stuck.sql.ts'

const ofDisk: Record<DiskLevel, InstallationNotice | undefined> = {
  ample: undefined,
  low: 'DISK_LOW',
  'very-low': 'DISK_VERY_LOW',
  full: 'DISK_FULL',
}
const ofCertificate: Record<CertificateLevel, InstallationNotice | undefined> = {
  ample: undefined,
  'within-30-days': 'CERTIFICATE_ENDS',
  'within-14-days': 'CERTIFICATE_ENDS',
  'within-3-days': 'CERTIFICATE_ENDS_NOW',
  over: 'CERTIFICATE_OVER',
}

/** Threats to the installation and to the mails and rules of an account, gravest first, and the figures that belong to them. */
export async function findNotices({ disk, store, certificate, config, db }: Services, accountUuid: string) {
  const { level, freeBytes, totalBytes } = await disk.look()
  // a disk without room cannot be written to either, which needs no words of its own
  const hasFault = level !== 'full' && (await findStoreFault(store)) !== undefined
  const mails = config.smtpUrl ? await findFailedMails(db, accountUuid) : { count: 0, since: null }
  const failingRules = await countFailingRules(db, accountUuid)
  const term = certificate.look()
  const codes = new Set<InstallationNotice | undefined>([
    hasFault ? 'OBJECTS_NOT_WRITABLE' : undefined,
    mails.count > 0 ? 'MAILS_NOT_SENT' : undefined,
    failingRules > 0 ? 'RULE_FAILS' : undefined,
    term && ofCertificate[term.level],
    ofDisk[level],
  ])
  return {
    codes: installationNotices.filter((code) => codes.has(code)),
    facts: { free_bytes: freeBytes, total_bytes: totalBytes, certificate_ends: term ? toStamp(term.endsAt) : '' },
    mails,
    failingRules,
  }
}
