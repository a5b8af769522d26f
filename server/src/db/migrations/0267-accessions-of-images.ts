import { type Kysely, sql } from 'kysely'

/**
 * The accession number of each image, so that no exam leaves with one of another patient's order among them; null of
 * images that came before, which are read once when they leave.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instance add column accession_number text`.execute(db)
  await sql`alter table deleted_instance add column accession_number text`.execute(db)
}
