import { type Kysely, sql } from 'kysely'

/** Browsers that a person let pass without a code for 30 days; what the browser keeps is known by its digest alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table remembered_device (
    uuid uuid primary key,
    digest bytea not null unique,
    user_uuid uuid not null references app_user (uuid),
    client_address text not null,
    user_agent text not null,
    created timestamptz not null default now(),
    last_used timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  // devices of a person, listed on the page of sessions and forgotten with a password
  `create index remembered_device_of_user on remembered_device (user_uuid)`,
]
