import { type Kysely, sql } from 'kysely'

/** Nominations that were rejected with the deletion of their record wait again when the record is restored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table nomination add column rejected_by_deletion boolean not null default false`.execute(db)
}
