import { type Kysely, sql } from 'kysely'

/**
 * A push keeps the patient under which images of its exam were sent before, asks for a reason where the destination holds
 * another patient under the MRN, and keeps that reason.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table push
    add column former_as bytea,
    add column mrn_reason text not null default '',
    add column wants_reason boolean not null default false
  `.execute(db)
}
