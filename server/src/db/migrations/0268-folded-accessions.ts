import { type Kysely, sql } from 'kysely'

/** Orders by accession number however its letters are written: an exam is held against those of its whole organisation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index order_by_folded_accession on imaging_order (account_uuid, folded_id(accession_number))
    where accession_number <> ''`.execute(db)
}
