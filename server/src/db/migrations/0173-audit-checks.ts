import { type Kysely, sql } from 'kysely'

/** The latest check of each account's audit against its seals, which reads every row and keeps nobody waiting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_check (
      account_uuid uuid primary key references account (uuid),
      uuid uuid not null,
      state text not null check (state in ('running', 'done', 'failed')),
      user_uuid uuid not null references app_user (uuid),
      user_name text not null,
      client_address text not null,
      rows_done integer not null default 0,
      -- 0 until they are counted
      rows_total integer not null default 0,
      result jsonb,
      begun timestamptz not null default now(),
      ended timestamptz
    )
  `.execute(db)
}
