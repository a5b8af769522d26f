import { type Kysely, sql } from 'kysely'

/** Studies by the patient's birth date: searched for, and asked when other studies of a patient are looked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index study_by_birth_date on study (patient_birth_date, phi_namespace)
    where patient_birth_date <> ''
  `.execute(db)
}
