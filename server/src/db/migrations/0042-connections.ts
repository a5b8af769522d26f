import { type Kysely, sql } from 'kysely'

/**
 * Connections between accounts, each asked for by one and accepted by the other; and shares that a share code
 * addressed, which stay valid outside the sender's own account, and shares that
 * take the attachments along.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table account_connection (
    uuid uuid primary key,
    asking_account uuid not null references account (uuid),
    asked_account uuid not null references account (uuid),
    message text not null default '',
    asked_by uuid references app_user (uuid),
    created timestamptz not null default now(),
    connected_at timestamptz,
    ended_at timestamptz,
    check (asking_account <> asked_account)
  )`,
  // two accounts have one connection at a time, whoever asked
  `create unique index account_connection_once on account_connection
    (least(asking_account, asked_account), greatest(asking_account, asked_account)) where ended_at is null`,
  // the connections of an account, from either end
  `create index account_connection_asking on account_connection (asking_account) where ended_at is null`,
  `create index account_connection_asked on account_connection (asked_account) where ended_at is null`,
  `alter table account add column share_code text not null default ''`,
  `alter table share
    add column by_code boolean not null default false,
    add column with_attachments boolean not null default false`,
  // an attachment that came by a share goes with the share
  `alter table attachment add column share_uuid uuid`,
  `create index attachment_of_share on attachment (share_uuid) where share_uuid is not null`,
]
