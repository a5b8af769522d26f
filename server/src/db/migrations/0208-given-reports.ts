import { type Kysely, sql } from 'kysely'

/** Exams that people gave reports to, by sender and number of the report: later versions go there too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table given_report (
    namespace_uuid uuid not null references namespace (uuid) on delete cascade,
    sender text not null,
    number text not null,
    study_uuid uuid not null,
    account_uuid uuid not null references account (uuid),
    given timestamptz not null default now(),
    -- the patient and the names of the exam as the report has them
    patientid text not null,
    issuer text not null,
    study_uid text not null,
    accession_number text not null,
    order_numbers text[] not null,
    primary key (namespace_uuid, sender, number, study_uuid),
    foreign key (namespace_uuid, study_uuid) references study (phi_namespace, uuid) on delete cascade
  )`,
  // exams that are removed
  `create index given_report_of_study on given_report (namespace_uuid, study_uuid)`,
]
