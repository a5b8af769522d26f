import { type Kysely, sql } from 'kysely'

/**
 * Room for several retractions of one record: `retraction_uuid` names the one that hides it now, `covered_retractions`
 * those before, which hide it once that one is undone. Copies that were kept are found by what they were copied from.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table study add column covered_retractions uuid[] not null default '{}'`,
  // all copies that were kept of images of a record
  `create index study_source_copied_from on study_source using gin (copied_from) where copied_from is not null`,
]
