import { type Kysely, sql } from 'kysely'

/** Routing rules of accounts, and every run of a rule on a study with what came of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table routing_rule (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    namespace_uuid uuid not null,
    other_namespaces uuid[] not null default '{}',
    name text not null,
    sequence integer not null,
    suspended boolean not null default false,
    flags text[] not null default '{}',
    conditions jsonb not null default '[]',
    actions jsonb not null default '[]',
    options jsonb not null default '{}',
    schedule jsonb,
    delay_seconds integer not null default 0,
    delay_from_study_field text not null default '',
    delay_from_study_seconds integer not null default 0,
    manual_roles uuid[] not null default '{}',
    row_version integer not null default 1,
    saved_by uuid not null references app_user (uuid),
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  // the rules for a study that became ready, and the list of an account
  `create index routing_rule_of_account on routing_rule (account_uuid, sequence) where deleted_at is null`,

  // conditions that were not met and results of actions stand in detail; values of the study stand nowhere
  `create table route_run (
    uuid uuid primary key,
    rule_uuid uuid not null references routing_rule (uuid),
    account_uuid uuid not null,
    phi_namespace uuid not null,
    study_uuid uuid not null,
    trigger text not null check (trigger in ('upload', 'harvest', 'share', 'manual')),
    occasion text not null,
    chain uuid[] not null default '{}',
    state text not null check (state in ('waiting', 'done', 'failed', 'not_matched')),
    reason text not null default '',
    detail jsonb not null default '{}',
    by_user uuid,
    run_at timestamptz,
    created timestamptz not null default now(),
    ended timestamptz
  )`,
  // a rule looks at a study once for each time that the study settled
  `create unique index route_run_once on route_run (rule_uuid, study_uuid, occasion)`,
  `create index route_run_of_rule on route_run (rule_uuid, created desc, uuid)`,
  // runs that wait for approval, and earlier runs of a rule on a study
  `create index route_run_of_study on route_run (study_uuid, rule_uuid)`,
]
