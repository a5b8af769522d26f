import { type Kysely, sql } from 'kysely'

/** The moment since when the cause of a warning is over, so that people are warned anew when it comes again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation_warning add column over_at timestamptz`.execute(db)
}
