import { type Kysely, sql } from 'kysely'

/**
 * How often a person was refused something that exists: one row for each hour, account, act and kind of thing, so that
 * trying thousands writes no more than one. The first of an hour is in the audit as well, where it is sealed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table access_refusal (
    account_uuid uuid not null,
    user_uuid uuid not null,
    hour timestamptz not null,
    act text not null,
    kind text not null,
    user_name text not null,
    client_address text not null,
    last_object uuid not null,
    count integer not null,
    first_at timestamptz not null default now(),
    last_at timestamptz not null default now(),
    primary key (account_uuid, hour, user_uuid, act, kind)
  )`,
]
