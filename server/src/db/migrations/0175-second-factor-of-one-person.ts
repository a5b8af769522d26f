import { type Kysely, sql } from 'kysely'

/** An account may require the second factor of one of its people, where it does not require it of all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account_user add column pin_required boolean not null default false`.execute(db)
}
