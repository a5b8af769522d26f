import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '../src/outbound/storage/object-store.ts'

export type LendingStore = ObjectStore & {
  /** Files lent until now, and those that are in use. */
  readonly lent: { total: number; inUse: number }
}

/**
 * A store as one far away would be: whoever needs a file gets a copy of the bytes asked for, which is emptied and deleted
 * at the end of its use.
 */
export function lendingStore(store: ObjectStore, folder: string): LendingStore {
  const lent = { total: 0, inUse: 0 }
  return {
    ...store,
    lent,
    useFile: async ({ object_key, byte_offset, length }, use) => {
      await mkdir(folder, { recursive: true })
      const path = join(folder, randomUUID())
      lent.total += 1
      lent.inUse += 1
      try {
        await pipeline(store.stream(object_key, byte_offset, length), createWriteStream(path))
        return await use({ path, offset: 0, length })
      } finally {
        lent.inUse -= 1
        // emptied too, for those who keep it open
        await truncate(path).catch(() => undefined)
        await rm(path, { force: true })
      }
    },
  }
}
