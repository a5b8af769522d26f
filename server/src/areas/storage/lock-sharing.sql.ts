import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Waits until nobody else shares this study or ends a share of it: a share may reach any number of records. */
export async function lockSharing(tx: Tx, studyUid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sharing ${studyUid}`}, 0))`.execute(tx)
}

/** The same of several studies, in one order for all who take more than one. */
export async function lockSharingOfAll(tx: Tx, studyUids: readonly string[]): Promise<void> {
  for (const studyUid of [...new Set(studyUids)].toSorted()) await lockSharing(tx, studyUid)
}
