import { type Kysely, sql } from 'kysely'

/**
 * A session knows how it was opened, how strongly, and when that was last proven; a key of a program is a session with a
 * name and a scope. Audit rows name the kind of actor; those of before say nothing of it, and keep their seals.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table session
    add column strength text not null default 'one factor' check (strength in ('one factor', 'two factors', 'key')),
    add column proven_at timestamptz not null default now(),
    add column name text not null default '',
    add column scope text[],
    add constraint session_method check (method in ('password', 'basic', 'oauth', 'key')),
    add constraint session_scope check ((method = 'key') = (scope is not null))`,
  `update session set proven_at = created`,
  `alter table audit
    add column actor_kind text check (actor_kind in ('user', 'key', 'node', 'system'))`,
]
