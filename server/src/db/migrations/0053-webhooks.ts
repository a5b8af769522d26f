import { type Kysely, sql } from 'kysely'

/** Webhooks of accounts, what they are to be told of, and every attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table webhook (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    name text not null,
    event text not null,
    url text not null,
    method text not null,
    suspended boolean not null default false,
    parameters jsonb not null default '{}',
    retry boolean not null default true,
    sealed_secret bytea not null,
    last_error text not null default '',
    row_version integer not null default 1,
    created timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  `create index webhook_of_account on webhook (account_uuid) where deleted_at is null`,
  `create table webhook_delivery (
    uuid uuid primary key,
    webhook_uuid uuid not null references webhook (uuid),
    event text not null,
    phi_namespace uuid,
    study_uuid uuid,
    rule_uuid uuid,
    run_uuid uuid,
    state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
    created timestamptz not null default now()
  )`,
  // a run that is done again tells once
  `create unique index webhook_delivery_once on webhook_delivery (run_uuid, webhook_uuid) where run_uuid is not null`,
  `create index webhook_delivery_of_webhook on webhook_delivery (webhook_uuid, created desc, uuid)`,
  `create table webhook_attempt (
    delivery_uuid uuid not null references webhook_delivery (uuid),
    number integer not null,
    at timestamptz not null default now(),
    status integer not null,
    error text not null,
    milliseconds integer not null,
    primary key (delivery_uuid, number)
  )`,
]
