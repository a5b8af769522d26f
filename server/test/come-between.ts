import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../src/db/database.ts'

/** An act that waits for a lock of the statements around it goes on once they are done. */
const patienceMs = 300

/**
 * The database, where an act comes between two statements: behind the statement of this number, from 1, once.
 * @returns with it, whether there was such a statement; asked when all is done
 */
export function comeBetween(
  db: Database,
  behind: number,
  act: () => Promise<unknown>,
): { db: Database; hasCome: () => Promise<boolean> } {
  let seen = 0
  let coming: Promise<unknown> | undefined
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      seen += 1
      if (seen === behind) {
        coming = act()
        await Promise.race([coming, delay(patienceMs)])
      }
      return result
    },
  })
  const hasCome = async () => {
    await coming
    return coming !== undefined
  }
  return { db: watched, hasCome }
}
