import { type Kysely, sql } from 'kysely'

/** When an administrator took a failed push off the page What is stuck; one that failed again later stands there again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table push add column dismissed_at timestamptz`.execute(db)
}
