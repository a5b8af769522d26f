import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Seconds from which on clocks count as different: sessions, links and dates of arrival are written by both. */
export const clockToleranceSeconds = 5

/**
 * Seconds by which the clock of this process is surely ahead of the database's, below 0 where it is behind; 0 where the
 * answer took longer than they may differ.
 */
export async function findClockOffset(db: Db): Promise<number> {
  const before = Date.now()
  const { rows } = await sql<{ at: number }>`
    select extract(epoch from clock_timestamp())::float8 as at
  `.execute(db)
  const after = Date.now()
  const offset = (before + after) / 2000 - (rows[0]?.at ?? 0)
  const doubt = (after - before) / 2000
  return Math.abs(offset) <= doubt ? 0 : offset - Math.sign(offset) * doubt
}
