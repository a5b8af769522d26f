import { type Kysely, sql } from 'kysely'

/** The moment when an order was cancelled; null for one that holds. Orders cancelled before were deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imaging_order add column cancelled_at timestamptz`.execute(db)
}
