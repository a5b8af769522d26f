import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Whether images of a study have left for a destination as this patient, from whichever record of the organisation. */
export async function hasLeftBefore(
  db: Db,
  study: { account_uuid: string; study_uid: string },
  sentAs: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    select
    from study s
    join departure o on o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid
    where s.study_uid = ${study.study_uid} and s.account_uuid = ${study.account_uuid} and o.sent_as = ${sentAs}
    limit 1
  `.execute(db)
  return rows.length > 0
}
