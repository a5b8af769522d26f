import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface CheckedInstance {
  study_uid: string
  sop_uid: string
  size: number
  sha256?: string | undefined
}

/**
 * For each of these, in their order: whether the namespace has the same image (by hash, else by size), has another
 * under the same SOP UID, or none. Looks into this namespace only.
 */
export async function checkInstances(
  db: Db,
  namespaceUuid: string,
  instances: readonly CheckedInstance[],
): Promise<('have' | 'missing' | 'conflict')[]> {
  const { rows } = await sql<{ verdict: 'have' | 'missing' | 'conflict' }>`
    select case
        when count(i.seq) = 0 then 'missing'
        when bool_or(case when r.sha256 is null then i.length = r.size else encode(i.sha256, 'hex') = r.sha256 end) then 'have'
        else 'conflict'
      end as verdict
    from json_to_recordset(${JSON.stringify(instances.map((one, at) => ({ ...one, sha256: one.sha256?.toLowerCase() ?? null, at })))}::json)
      as r (at integer, study_uid text, sop_uid text, size bigint, sha256 text)
    left join stored_study t on t.storage_namespace = ${namespaceUuid} and t.study_uid = r.study_uid
    left join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key and i.sop_uid = r.sop_uid
    group by r.at
    order by r.at
  `.execute(db)
  return rows.map((row) => row.verdict)
}
