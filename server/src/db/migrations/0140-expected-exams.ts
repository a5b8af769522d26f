import { type Kysely, sql } from 'kysely'

/**
 * Requests expect an exam besides the patient, and forget both some time after their end. The index serves the sweep that
 * forgets them (link.sql, eraseExpectedOfEnded).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table link_request
    add column study_date text not null default '',
    add column modality text not null default '',
    add column study_description text not null default '',
    add column erased_at timestamptz`,
  `create index link_request_to_erase on link_request (link_uuid)
    where erased_at is null
      and patient_name || patient_birth_date || patient_sex || patientid || study_date || modality || study_description <> ''`,
]
