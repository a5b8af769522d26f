import { type Kysely, sql } from 'kysely'

/**
 * Studies that a cloud group gave to a gatekeeper group to be sent into the hospital's PACS, and the custom fields by
 * which outside clients read of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table nomination (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    -- the record that was nominated
    from_namespace uuid not null,
    study_uuid uuid not null,
    -- the gatekeeper group, as it was called, and the record that it got
    group_uuid uuid not null,
    group_name text not null,
    gate_namespace uuid not null,
    gate_uuid uuid not null,
    share_uuid uuid not null references share (uuid) on delete cascade,
    state text not null check (state in ('nominated', 'sent', 'rejected', 'cancelled')),
    -- of the form, by the uuids of its custom fields
    answers jsonb not null default '{}',
    submitted_at timestamptz not null default now(),
    submitted_by uuid not null references app_user (uuid),
    decided_at timestamptz,
    decided_by uuid references app_user (uuid),
    destination_uuid uuid references destination (uuid),
    destination_name text not null default '',
    reason text not null default '',
    message text not null default ''
  )`,
  // the last nomination of a record, and that of a record in a gatekeeper group
  `create index nomination_of_study on nomination (study_uuid, submitted_at desc)`,
  `create unique index nomination_at_gate on nomination (gate_uuid) where state <> 'cancelled'`,
  `create index nomination_of_share on nomination (share_uuid)`,
  // the key in contract/src/gate-fields.ts; null: a field that the account made
  `alter table customfield add column gate_key text`,
  `create unique index customfield_of_gate on customfield (account_uuid, gate_key)
    where gate_key is not null and deleted_at is null`,
]
