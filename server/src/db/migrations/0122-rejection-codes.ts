import { type Kysely, sql } from 'kysely'

/** The code of the reason for which a nomination was rejected; empty: in words alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table nomination add column rejection_code text not null default ''`.execute(db)
}
