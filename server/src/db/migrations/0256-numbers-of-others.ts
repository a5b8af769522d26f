import { type Kysely, sql } from 'kysely'

/** Whether a destination takes exams whose MRN another assigning authority than the organisation gave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table destination add column push_foreign boolean not null default false`.execute(db)
}
