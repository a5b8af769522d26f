import { type accountNotices, type InstallationNotice, installationNotices } from '@hilum/contract/calls/account'
import type { DiskLevel } from '../../outbound/storage/disk-space.ts'
import type { Handler } from '../handler.ts'
import { countFailedMails } from '../mail/mail.sql.ts'
import { findStoreFault } from '../storage/store-failure.ts'

const ofLevel: Record<DiskLevel, readonly InstallationNotice[]> = {
  ample: [],
  low: ['DISK_LOW'],
  'very-low': ['DISK_VERY_LOW'],
  full: ['DISK_FULL'],
}

export const notices: Handler<typeof accountNotices> = async ({ services, on }) => {
  const { level, freeBytes, totalBytes } = await services.disk.look()
  // a disk without room cannot be written to either, which needs no words of its own
  const hasFault = level !== 'full' && (await findStoreFault(services.store)) !== undefined
  const failedMails = services.config.smtpUrl ? await countFailedMails(services.db, on.ownerUuid) : 0
  const codes = new Set<InstallationNotice>([
    ...(hasFault ? (['OBJECTS_NOT_WRITABLE'] as const) : []),
    ...(failedMails > 0 ? (['MAILS_NOT_SENT'] as const) : []),
    ...ofLevel[level],
  ])
  const facts = { free_bytes: freeBytes, total_bytes: totalBytes, failed_mails: failedMails }
  return { notices: installationNotices.filter((code) => codes.has(code)).map((code) => ({ code, ...facts })) }
}
