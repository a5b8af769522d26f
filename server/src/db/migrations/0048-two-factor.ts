import { type Kysely, sql } from 'kysely'

/** A second factor of people (TOTP), with codes for the day that the device is lost; accounts may require one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // both secrets are sealed for the person; the pending one is in force once a code of it was entered. last_step is the
  // time step of the last code that was taken: no code is taken twice
  `create table two_factor (
    user_uuid uuid primary key references app_user (uuid),
    sealed_secret bytea,
    confirmed_at timestamptz,
    last_step bigint not null default 0,
    pending_secret bytea,
    pending_until timestamptz,
    check ((sealed_secret is null) = (confirmed_at is null))
  )`,
  `create table recovery_code (
    user_uuid uuid not null references two_factor (user_uuid) on delete cascade,
    code_digest bytea not null,
    primary key (user_uuid, code_digest)
  )`,
  // a session that waits opens nothing: for a code, or until its person has set up a second factor
  `alter table session
    add column waits_for text check (waits_for in ('pin', 'setup'))`,
  `alter table account
    add column pin_required boolean not null default false`,
]
