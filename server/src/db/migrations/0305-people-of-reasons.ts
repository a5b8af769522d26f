import { type Kysely, sql } from 'kysely'

/** A reason why two people have one MRN is about those who had it when it was given. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table push add column mrn_people text[]`.execute(db)
}
