import { type Kysely, sql } from 'kysely'

/** Reports by HL7 whose exam is not here yet, with their documents, until the exam comes or somebody removes them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table waiting_report (
    uuid uuid primary key,
    account_uuid uuid not null references account (uuid),
    namespace_uuid uuid not null references namespace (uuid) on delete cascade,
    -- the message
    sender text not null,
    control_id text not null,
    digest bytea not null,
    type text not null,
    address text not null,
    received timestamptz not null default now(),
    -- the patient as the message names one
    patientid text not null,
    issuer text not null,
    patient_name text not null,
    patient_birth_date text not null,
    patient_sex text not null,
    -- the report and the names of its exam
    number text not null,
    status text not null,
    study_uid text not null,
    accession_number text not null,
    order_numbers text[] not null,
    bytes integer not null,
    -- why an exam that came did not take it; empty before one came
    reason text not null default '',
    tried timestamptz
  )`,
  // the one that a later message replaces
  `create index waiting_report_by_number on waiting_report (namespace_uuid, sender, number)`,
  // the list of an account, newest first
  `create index waiting_report_newest on waiting_report (account_uuid, received desc, uuid)`,
  `create table waiting_document (
    report_uuid uuid not null references waiting_report (uuid) on delete cascade,
    position integer not null,
    ending text not null,
    bytes bytea not null,
    primary key (report_uuid, position)
  )`,
]
