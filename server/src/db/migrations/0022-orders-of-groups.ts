import { type Kysely, sql } from 'kysely'

/** The namespace of the group that an order is for; without one it waits for who may edit the account's orders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imaging_order add column namespace_uuid uuid`.execute(db)
}
