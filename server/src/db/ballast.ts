import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

const megabyte = 1024 * 1024
const mostBytes = 256 * megabyte
/** With less than this free, PostgreSQL may neither recover nor start. */
const toStartBytes = 48 * megabyte
/** With less than this free, it soon cannot write a row. */
const toRunBytes = 4 * megabyte
/** The room is given up in parts: the writer that fills the disk may still be at it. */
const parts = 4

/** Room on the database's disk that is given up when PostgreSQL has none left to write what it must. */
export interface Ballast {
  /** Makes the file when it is missing and at least `spareBytes` stay free beside it. */
  reserve: (spareBytes: number) => Promise<void>
  /** Gives a part of the room up when the disk is too full for this. @returns whether there was some to give */
  release: (need: 'to start' | 'to run') => boolean
}

/** @param folder on the same disk as the database */
export function createBallast(folder: string): Ballast {
  const file = path.join(folder, 'ballast')
  const draft = `${file}.unfinished`
  let isMaking = false
  return {
    reserve: async (spareBytes) => {
      const { free, total } = roomOf(folder)
      const bytes = Math.min(mostBytes, Math.floor(total / 20))
      if (isMaking || sizeOf(file) >= bytes) return
      if (free < spareBytes + 2 * bytes) return
      isMaking = true
      try {
        await fill(draft, bytes)
        await rename(draft, file)
      } catch {
        await rm(draft, { force: true }) // the disk filled up meanwhile; tried again when there is room
      } finally {
        isMaking = false
      }
    },
    release: (need) => {
      const size = sizeOf(file)
      if (size === 0 || roomOf(folder).free >= (need === 'to start' ? toStartBytes : toRunBytes)) return false
      const left = size - Math.ceil(Math.min(mostBytes, roomOf(folder).total / 20) / parts)
      if (left > megabyte) truncateSync(file, left)
      else rmSync(file, { force: true })
      return true
    },
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Free and total bytes of the disk that a folder lies on, for those who are not root. */
export function roomOf(folder: string): { free: number; total: number } {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

/** Random bytes: file systems that compress keep no room for zeros. */
async function fill(file: string, bytes: number): Promise<void> {
  const chunk = randomBytes(megabyte)
  const handle = await open(file, 'w', 0o600)
  try {
    for (let left = bytes; left > 0; left -= chunk.length) await handle.write(chunk, 0, Math.min(left, chunk.length))
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
