import { type Kysely, sql } from 'kysely'

/** Indexes for the holdings of a person, counted when the person leaves: exams in progress, and nominations that wait (`holdings.sql.ts`). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index study_taken on study (taken_by, account_uuid) where taken_by is not null`.execute(db)
  await sql`create index nomination_of_person on nomination (submitted_by) where state = 'nominated'`.execute(db)
}
