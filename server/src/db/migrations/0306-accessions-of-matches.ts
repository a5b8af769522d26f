import { type Kysely, sql } from 'kysely'

/** The accession number that the order of a nomination had when the exam was matched with it; null: before this was kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table nomination add column order_accession text`.execute(db)
}
