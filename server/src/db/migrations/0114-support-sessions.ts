import { type Kysely, sql } from 'kysely'

/** Accounts let supporters in for a time; a supporter's session as somebody else names both, and reaches one account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table account
    add column support_until timestamptz`,
  `alter table session
    add column proxy_by uuid references app_user (uuid),
    add column only_account uuid references account (uuid),
    drop constraint session_method,
    add constraint session_method check (method in ('password', 'sso', 'basic', 'oauth', 'key', 'link', 'proxy')),
    add constraint session_by_proxy check (
      (method = 'proxy') = (proxy_by is not null) and (proxy_by is null) = (only_account is null)
    )`,
]
