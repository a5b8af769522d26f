import { type Kysely, sql } from 'kysely'

/** How the Organisation inbox of an account takes in what is shared with it, uploaded or sent to it, as groups do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table account
    add column must_approve boolean not null default false,
    add column must_approve_upload boolean not null default false,
    add column must_approve_harvest boolean not null default false,
    add column no_share boolean not null default false,
    add column share_description text not null default '',
    add column share_settings jsonb not null default '{}'`,
]
