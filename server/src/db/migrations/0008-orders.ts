import { type Kysely, sql } from 'kysely'

/** Scheduled exams of an account and their steps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table imaging_order (
    account_uuid uuid not null references account (uuid),
    uuid uuid not null unique,
    order_number text not null default '',
    accession_number text not null default '',
    patientid text not null default '',
    issuer text not null default '',
    patient_name text not null default '',
    search text not null default '',
    patient_sex text not null default '',
    patient_birth_date text not null default '',
    referring_physician text not null default '',
    sending_facility text not null default '',
    tags text[] not null default '{}',
    customfields jsonb not null default '{}',
    created timestamptz not null default now(),
    updated timestamptz not null default now(),
    primary key (account_uuid, uuid)
  )`,
  // the newest of an account
  `create index order_newest on imaging_order (account_uuid, created desc, uuid desc)`,
  // the order behind an accession number, of a patient, of a name
  `create index order_by_accession on imaging_order (account_uuid, accession_number) where accession_number <> ''`,
  `create index order_by_mrn on imaging_order (account_uuid, lower(patientid))`,
  `create index order_search on imaging_order using gin (search gin_trgm_ops)`,

  `create table order_step (
    account_uuid uuid not null,
    order_uuid uuid not null,
    uuid uuid not null unique,
    modality text not null default '',
    scheduled_procedure_step_id text not null default '',
    requested_procedure_id text not null default '',
    requested_procedure_description text not null default '',
    scheduled_station_aetitle text not null default '',
    scheduled_procedure_step_start_date text not null default '',
    scheduled_procedure_step_start_time text not null default '',
    scheduled_procedure_step_description text not null default '',
    mpps_status text not null default '',
    mpps_uid text not null default '',
    primary key (account_uuid, order_uuid, uuid),
    foreign key (account_uuid, order_uuid) references imaging_order (account_uuid, uuid) on delete cascade
  )`,
]
