import { type Kysely, sql } from 'kysely'

/** Values that somebody who shares by a share code filled in for the receiver, until the share is delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table share add column customfields jsonb not null default '{}'`.execute(db)
}
