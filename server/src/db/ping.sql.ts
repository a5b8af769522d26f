import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Asks the database for nothing, to see that it answers. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
