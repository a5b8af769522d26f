import { type Kysely, sql } from 'kysely'

/** When an administrator took a failed run of a routing rule off the page What is stuck; a later one that fails stands there again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table route_run add column dismissed_at timestamptz`.execute(db)
}
