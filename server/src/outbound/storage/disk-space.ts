import { statfs } from 'node:fs/promises'

/** How full the fullest disk is. `full`: what is left is kept for the server's own work. */
export type DiskLevel = 'ample' | 'low' | 'very-low' | 'full'

interface DiskRoom {
  level: DiskLevel
  freeBytes: number
  totalBytes: number
  /** Bytes that uploads may not take. */
  reserveBytes: number
}

/** Uploads are refused: what is left on the disk is kept for the database, sign-in, reading and deleting. */
export class DiskReserveError extends Error {
  override readonly name = 'DiskReserveError'
  readonly code = 'DISK_RESERVE'
}

export interface DiskSpace {
  /** The fullest of the disks; asked of the system at most twice a second. */
  look: () => Promise<DiskRoom>
  /** @throws DiskReserveError */
  assertRoom: () => Promise<void>
}

export type Measure = (
  folder: string,
) => Promise<{ bavail: number; blocks: number; bsize: number; files: number; ffree: number }>

const gigabyte = 1024 ** 3
const lookEveryMs = 500
/** With fewer left a disk takes no more files, however much room there is. */
const leastFiles = 1_000

/** @param folders those whose disks count; one that is not there yet counts as soon as it is */
export function createDiskSpace(folders: readonly string[], measure: Measure = statfs): DiskSpace {
  let seen: Promise<DiskRoom> | undefined
  let seenAt = 0

  function look(): Promise<DiskRoom> {
    if (seen && performance.now() - seenAt < lookEveryMs) return seen
    seenAt = performance.now()
    seen = lookAtAll().catch((error: unknown) => {
      seen = undefined
      throw error
    })
    return seen
  }

  async function lookAtAll(): Promise<DiskRoom> {
    const rooms: DiskRoom[] = []
    for (const folder of folders) {
      const measured = await measure(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (measured) rooms.push(roomOf(measured))
    }
    return rooms.reduce(fuller, { level: 'ample', freeBytes: 0, totalBytes: 0, reserveBytes: 0 })
  }

  return {
    look,
    assertRoom: async () => {
      const { level } = await look()
      if (level === 'full') throw new DiskReserveError('The disk has no room for uploads')
    },
  }
}

/** Two in a hundred, at least half a gigabyte and at most five; of a small disk no more than a tenth. */
export function reserveOf(totalBytes: number): number {
  return Math.min(totalBytes / 10, Math.max(gigabyte / 2, Math.min(5 * gigabyte, totalBytes / 50)))
}

function roomOf({ bavail, blocks, bsize, files, ffree }: Awaited<ReturnType<Measure>>): DiskRoom {
  const totalBytes = blocks * bsize
  const freeBytes = bavail * bsize
  const reserveBytes = reserveOf(totalBytes)
  const hasFiles = files === 0 || ffree >= leastFiles
  const level = freeBytes < reserveBytes || !hasFiles ? 'full' : levelOf(freeBytes / totalBytes)
  return { level, freeBytes, totalBytes, reserveBytes }
}

function levelOf(share: number): DiskLevel {
  if (share < 0.1) return 'very-low'
  return share < 0.2 ? 'low' : 'ample'
}

const levels: readonly DiskLevel[] = ['ample', 'low', 'very-low', 'full']

function fuller(one: DiskRoom, other: DiskRoom): DiskRoom {
  const [rank, otherRank] = [levels.indexOf(one.level), levels.indexOf(other.level)]
  const isOther = otherRank > rank || (otherRank === rank && (one.totalBytes === 0 || other.freeBytes < one.freeBytes))
  return isOther ? other : one
}
