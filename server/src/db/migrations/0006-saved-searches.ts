import { type Kysely, sql } from 'kysely'

/** Searches that people keep for themselves or for a group. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table saved_search (
    uuid uuid primary key,
    name text not null,
    type text not null,
    configuration jsonb not null,
    owner_uuid uuid not null,
    account_uuid uuid,
    namespace_uuid uuid,
    created timestamptz not null default now(),
    updated timestamptz not null default now()
  )`,
  // mine, and those of my groups
  `create index saved_search_of_owner on saved_search (owner_uuid)`,
  `create index saved_search_of_namespace on saved_search (namespace_uuid) where namespace_uuid is not null`,
]
