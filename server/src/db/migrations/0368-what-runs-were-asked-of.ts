import { type Kysely, sql } from 'kysely'

/** Runs keep what their rule is asked of once more when they are due: which arrival of an exam, and when its delay began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table route_run
      add column arrival integer,
      add column delay_from timestamptz
  `.execute(db)
}
