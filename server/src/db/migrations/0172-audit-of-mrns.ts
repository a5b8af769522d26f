import { type Kysely, sql } from 'kysely'

/** The report of one patient finds exams by an MRN that they had before a correction, which the audit tells of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index audit_of_mrn on audit (account_uuid, folded_id(detail #>> '{patientid,0}'))
    where detail #>> '{patientid,0}' is not null
  `.execute(db)
}
