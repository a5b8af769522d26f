import { type Kysely, sql } from 'kysely'

/** By whose word a webhook is told of an upload, so that each request, share code and person is counted by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhook_delivery add column said_by uuid`.execute(db)
}
