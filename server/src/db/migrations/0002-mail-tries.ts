import { type Kysely, sql } from 'kysely'

/** When a mail was last tried, by which the sender knows when it is due again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail add column tried_at timestamptz`.execute(db)
}
