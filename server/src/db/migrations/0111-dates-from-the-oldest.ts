import { type Kysely, sql } from 'kysely'

/** Exams from the oldest on, those without a date last; from the newest on, the index of dates has them last by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create index study_by_date_from_oldest
      on study (phi_namespace, (coalesce(nullif(study_date, ''), '99999999')), uuid)
      where deleted_at is null and arrival <> 'announced'`)
    .execute(db)
}
