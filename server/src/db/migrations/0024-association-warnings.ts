import { type Kysely, sql } from 'kysely'

/** Warnings to senders about objects that were kept: beside the failures of an association, in the same form. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table dicom_association add column warnings jsonb not null default '[]'`.execute(db)
}
