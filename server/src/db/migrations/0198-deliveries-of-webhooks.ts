import { type Kysely, sql } from 'kysely'

/** Deliveries of webhooks are counted while they wait, and end after a time; a webhook knows since when its calls fail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create index webhook_delivery_waiting on webhook_delivery (webhook_uuid) where state = 'waiting'`,
  // the oldest, which the sweep takes first
  `create index webhook_delivery_oldest on webhook_delivery (created)`,
  `alter table webhook add column failing_since timestamptz`,
]
