import { type Kysely, sql } from 'kysely'

/**
 * Short tokens of sessions, which pages hold in memory while the session's own token lies in a cookie that no script
 * reads; and what a person is shown of the own sessions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table session_token (
    token_digest bytea primary key,
    session_uuid uuid not null references session (uuid) on delete cascade,
    expires_at timestamptz not null
  )`,
  `create index session_token_of_session on session_token (session_uuid)`,
  `alter table session
    add column client_address text not null default '',
    add column user_agent text not null default '',
    add column method text not null default 'password'`,
]
