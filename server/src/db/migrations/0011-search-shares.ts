import { type Kysely, sql } from 'kysely'

/** Places and people that a saved search was shared with, besides the one place that it may be kept for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table saved_search_share (
    search_uuid uuid not null references saved_search (uuid) on delete cascade,
    kind text not null check (kind in ('account', 'location', 'group', 'user', 'role')),
    target_uuid uuid not null,
    created timestamptz not null default now(),
    primary key (search_uuid, kind, target_uuid)
  )`,
  // the searches that somebody sees: asked with every list of searches
  `create index saved_search_share_of_target on saved_search_share (target_uuid, kind)`,
]
