import { type Kysely, sql } from 'kysely'

/** Orders by MRN however written: an exam that leaves is held against those of its whole organisation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index order_by_folded_mrn_of_account on imaging_order (account_uuid, folded_id(patientid))
    where patientid <> ''`.execute(db)
}
