import { type Kysely, sql } from 'kysely'

/**
 * The places whose patients a report holds, in each of which fetching it takes the rights again. Reports of before, which
 * are there for hours, have to be made again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from report`.execute(db)
  await sql`alter table report add column places uuid[] not null default '{}'`.execute(db)
}
