import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Empties what senders of an exam filled in of it by requests for uploads. Uses link_upload_of_study. */
export async function eraseFilledIn(tx: Tx, record: { phi_namespace: string; study_uid: string }): Promise<void> {
  await sql`
    update link_upload
    set customfields = '{}'
    where namespace_uuid = ${record.phi_namespace} and study_uid = ${record.study_uid} and customfields <> '{}'
  `.execute(tx)
}
