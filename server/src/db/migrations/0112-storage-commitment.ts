import { type Kysely, sql } from 'kysely'

/**
 * Storage commitment, both ways: what a destination was asked to commit itself to after a push, and what peers asked of
 * places here and are still to be told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table destination add column can_commit boolean not null default false`,
  `alter table push
    add column commitment text
      check (commitment in ('asked', 'committed', 'failed', 'refused', 'unanswered')),
    add column commitment_message text not null default ''`,
  `create table push_commitment (
    transaction_uid text primary key,
    phi_namespace uuid not null,
    study_uuid uuid not null,
    destination_uuid uuid not null,
    push_uuid uuid not null,
    -- names of the images, by class and instance
    images jsonb not null,
    -- SOP Instance UIDs that the peer has said nothing of yet
    waiting text[] not null,
    committed integer not null default 0,
    -- reasons of PS3.3 C.14-1, each as often as it was given
    reasons integer[] not null default '{}',
    -- null: the peer has not taken the question yet
    asked_at timestamptz,
    created timestamptz not null default now(),
    foreign key (phi_namespace, study_uuid, destination_uuid) references push on delete cascade
  )`,
  // all transactions of one push
  `create index push_commitment_of_push on push_commitment (phi_namespace, study_uuid, destination_uuid)`,
  // what a peer that calls us may report on
  `create index push_commitment_of_destination on push_commitment (destination_uuid, created)`,
  `create table commitment_question (
    uuid uuid primary key,
    namespace_uuid uuid not null references namespace (uuid) on delete cascade,
    -- where the report goes
    destination_uuid uuid not null references destination (uuid),
    transaction_uid text not null,
    images jsonb not null,
    created timestamptz not null default now()
  )`,
]
