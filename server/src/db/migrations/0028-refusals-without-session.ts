import { type Kysely, sql } from 'kysely'

/**
 * Refusals of requests without a session: `asker` is the person's uuid, or the address (an IPv6 one as its /64); `*`
 * stands for all addresses of an hour that had too many.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table access_refusal add column asker text`,
  `update access_refusal set asker = user_uuid::text`,
  `alter table access_refusal drop constraint access_refusal_pkey`,
  `alter table access_refusal alter column asker set not null, alter column user_uuid drop not null,
    add primary key (account_uuid, hour, asker, act, kind)`,
  // the list reads the newest first, the sweep takes the oldest
  `create index access_refusal_by_last on access_refusal (account_uuid, last_at desc)`,
  `create index access_refusal_by_hour on access_refusal (hour)`,
]
