import { type Kysely, sql } from 'kysely'

/** Texts that people of an account agree to: every version, the newest of a kind in force. Their MD5 stands in the account's settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table account_text (
    account_uuid uuid not null references account (uuid),
    kind text not null check (kind in ('terms', 'privacy')),
    version integer not null,
    -- empty where nobody is asked from then on
    text text not null,
    md5 text not null,
    since timestamptz not null default now(),
    by_user uuid not null references app_user (uuid),
    primary key (account_uuid, kind, version)
  )`,
]
