import { type Kysely, sql } from 'kysely'

/** Of one person in an account: a shorter idle time, fewer sessions at once, and a new password at the next sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`alter table account_user
      add column session_expire_minutes integer not null default 0,
      add column max_sessions integer not null default 0,
      add column password_reset boolean not null default false`)
    .execute(db)
}
