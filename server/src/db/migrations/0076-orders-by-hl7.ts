import { type Kysely, sql } from 'kysely'

/** Orders that another system sends: found by their number, each message taken once, ended patient numbers followed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // the study that the sender wants the images to be; without one its UID is made of the order's own
  `alter table imaging_order add column study_uid text not null default ''`,
  // modalities ask for the steps of a group on a day
  `create index if not exists order_of_group on imaging_order (namespace_uuid) where namespace_uuid is not null`,
  `create index if not exists step_by_date
    on order_step (scheduled_procedure_step_start_date, account_uuid, order_uuid)`,
  // the order that a message names, and those of a patient
  `create index order_by_number on imaging_order (namespace_uuid, order_number) where order_number <> ''`,
  `create index order_by_folded_mrn on imaging_order (namespace_uuid, folded_id(patientid))`,

  // messages that were taken: one that comes again changes nothing and is answered the same
  `create table order_message (
    namespace_uuid uuid not null references namespace (uuid) on delete cascade,
    sender text not null,
    control_id text not null,
    digest bytea not null,
    received timestamptz not null default now(),
    primary key (namespace_uuid, sender, control_id, digest)
  )`,
  `create index order_message_by_age on order_message (received)`,

  // numbers of patients that ended in another, as they are compared (folded_id)
  `create table merged_patient (
    namespace_uuid uuid not null references namespace (uuid) on delete cascade,
    prior_id text not null,
    prior_issuer text not null,
    patientid text not null,
    issuer text not null,
    merged timestamptz not null default now(),
    primary key (namespace_uuid, prior_id, prior_issuer)
  )`,
]
