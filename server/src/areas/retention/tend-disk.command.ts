import type { DiskLevel } from '../../outbound/storage/disk-space.ts'
import type { Services } from '../../services.ts'

const reportedLevel = new WeakMap<Services['disk'], DiskLevel>()

const advice: Record<DiskLevel, string> = {
  ample: 'The disk has room again',
  low: 'Less than a fifth of the disk is free: plan for more room',
  'very-low': 'Less than a tenth of the disk is free: make room',
  full: 'Uploads are refused: what is left is kept for the database, sign-in, reading and deleting',
}

/** Logs each change of how full the disk is, and keeps room aside for the database while there is some. */
export async function tendDisk({ disk, ballast, log }: Pick<Services, 'disk' | 'ballast' | 'log'>): Promise<void> {
  const { level, freeBytes, totalBytes, reserveBytes } = await disk.look()
  if (level !== (reportedLevel.get(disk) ?? 'ample')) {
    const line = {
      event: 'disk space' as const,
      room: level,
      freeBytes,
      totalBytes,
      reserveBytes,
      advice: advice[level],
    }
    if (level === 'full') log.error(line)
    else log.warn(line)
  }
  reportedLevel.set(disk, level)
  if (level !== 'full') await ballast?.reserve(reserveBytes)
  else if (ballast?.release('to run')) log.error({ event: 'room kept aside given up' })
}
