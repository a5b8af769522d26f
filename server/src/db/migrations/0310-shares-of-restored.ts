import { type Kysely, sql } from 'kysely'

/**
 * An exam that is restored into a newer record, which is shared with the same recipient, brings its earlier share along:
 * that one goes with the newer share, and ends with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table share add column goes_with uuid`,
  `drop index share_live`,
  `create unique index share_live on share (study_uuid, to_kind, to_uuid)
    where state in ('scheduled', 'delivered') and goes_with is null`,
  // the shares that end with one
  `create index share_goes_with on share (goes_with) where goes_with is not null`,
]
