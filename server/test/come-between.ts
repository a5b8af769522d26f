import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../src/db/database.ts'

/** Between two looks at whether the act waits for a lock of the statements around it. */
const LOOK_MS = 20
/** The longest wait for an act that waits for something else than a lock. */
const MOST_MS = 20_000

/**
 * The database, where an act comes between two statements: behind the statement of this number, from 1, once. The act ends
 * before the next statement, or waits for a lock that only the statements around it give back.
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
        await endOrLock(db, coming)
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

async function endOrLock(db: Database, coming: Promise<unknown>): Promise<void> {
  const ended = coming.then(
    () => true,
    () => true, // whoever awaits the act is told why
  )
  for (const start = performance.now(); performance.now() - start < MOST_MS; ) {
    const hasEnded = await Promise.race([ended, delay(LOOK_MS, false)])
    if (hasEnded || (await isAnybodyLocked(db))) return
  }
}

async function isAnybodyLocked(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select
    from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db)
  return rows.length > 0
}
