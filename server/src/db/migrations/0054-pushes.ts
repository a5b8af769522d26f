import { type Kysely, sql } from 'kysely'

/**
 * How far the last push of a study to a destination is, and the images that the peer has acknowledged. Earlier pushes
 * stand in the history of the study.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table push (
    phi_namespace uuid not null,
    study_uuid uuid not null,
    destination_uuid uuid not null references destination (uuid),
    uuid uuid not null unique,
    account_uuid uuid not null references account (uuid),
    -- as it was called when the study was pushed
    destination_name text not null,
    -- the person who asked for it; null: a rule
    user_uuid uuid references app_user (uuid),
    status text not null check (status in ('N', 'I', 'P', 'S', 'F')),
    message text not null default '',
    total integer,
    -- versions of the images that the peer has taken
    sent uuid[] not null default '{}',
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    primary key (phi_namespace, study_uuid, destination_uuid)
  )`,
  // the views Queued, Completed and Failed of a group
  `create index push_status on push (phi_namespace, status, study_uuid)`,
]
