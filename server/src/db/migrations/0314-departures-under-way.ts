import { type Kysely, sql } from 'kysely'

/**
 * Exams whose images leave for a destination by C-MOVE or C-GET at the moment, and under whom. `until` is put off as long
 * as their association is open, so that a process that dies holds nothing back for longer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table departure_under_way (
      uuid uuid primary key,
      account_uuid uuid not null,
      study_uid text not null,
      destination_uuid uuid not null references destination (uuid),
      sent_as bytea not null,
      until timestamptz not null
    )
  `.execute(db)
}
