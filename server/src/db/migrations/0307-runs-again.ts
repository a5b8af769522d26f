import { type Kysely, sql } from 'kysely'

/** Runs of routing rules that do what is left of a run that failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table route_run add column again_of uuid`.execute(db)
  // serves the lists of exams on which the rules of an account failed
  await sql`create index route_run_failed on route_run (rule_uuid, created) where state = 'failed'`.execute(db)
}
