import { type Kysely, sql } from 'kysely'

/** Custom fields that a sender by a share code filled in, until the first image makes the record that takes them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table link_upload add column customfields jsonb not null default '{}'`.execute(db)
}
