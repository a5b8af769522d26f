import { randomUUID } from 'node:crypto'
import { mayDo } from '@hilum/contract/acts'
import type { DiskLevel } from '../../outbound/storage/disk-space.ts'
import type { Services } from '../../services.ts'
import { diskMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { listReachableOfAll, noteDiskWarning } from './disk-warning.sql.ts'

/** The level of which a process last asked whether people know. */
const asked = new WeakMap<Services['disk'], { level: DiskLevel; at: number }>()
const askAgainMs = 3_600_000

/** Mails the administrators of every organisation how full the disk is: each level at once, and daily while it lasts. */
export async function mailOfDisk(
  { disk, db, config }: Pick<Services, 'disk' | 'db' | 'config'>,
  now: Date,
): Promise<void> {
  const { level, freeBytes, totalBytes } = await disk.look()
  const last = asked.get(disk)
  if (last?.level === level && now.getTime() - last.at < askAgainMs) return
  if (level !== 'ample') {
    // no request says by which address the installation is known
    const address = publicAddress(config, { host: '', isHttps: false })
    const text = diskMail(address, level, { free: inGigabytes(freeBytes), total: inGigabytes(totalBytes) })
    await db.transaction().execute(async (tx) => {
      const people = await listReachableOfAll(tx)
      const recipients = new Map(
        people
          .filter(({ permissions }) => mayDo('administerAccount', { permissions: new Set(permissions) }))
          .map((person) => [person.email, person.account_uuid]),
      )
      if (recipients.size === 0 || !(await noteDiskWarning(tx, level))) return
      for (const [recipient, accountUuid] of recipients)
        await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...text })
    })
  }
  asked.set(disk, { level, at: now.getTime() })
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}
