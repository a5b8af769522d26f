import type { DiskLevel } from '../../outbound/storage/disk-space.ts'
import type { Services } from '../../services.ts'
import { mailAdministrators } from '../installation/mail-administrators.command.ts'
import { diskMail } from '../mail/mail-texts.ts'

/** The level of which a process last asked whether people know. */
const asked = new WeakMap<Services['disk'], { level: DiskLevel; at: number }>()
const askAgainMs = 3_600_000

/** Mails the administrators of every organisation how full the disk is: each level at once, and daily while it lasts. */
export async function mailOfDisk(services: Pick<Services, 'disk' | 'db' | 'config'>, now: Date): Promise<void> {
  const { disk } = services
  const { level, freeBytes, totalBytes } = await disk.look()
  const last = asked.get(disk)
  if (last?.level === level && now.getTime() - last.at < askAgainMs) return
  if (level !== 'ample') {
    const room = { free: inGigabytes(freeBytes), total: inGigabytes(totalBytes) }
    await mailAdministrators(services, {
      warning: `disk ${level}`,
      again: 24,
      write: (address) => diskMail(address, level, room),
    })
  }
  asked.set(disk, { level, at: now.getTime() })
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}
