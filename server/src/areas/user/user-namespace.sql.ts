import { sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'

export interface NamespaceFacts {
  uuid: string
  share_code: string
  study_count: number
  thin_study_count: number
}

/** Beyond this a namespace's count is not worth its time; the list itself counts exactly when asked. */
const maxCounted = 10_001

/** Share codes and counts of these namespaces. Records that wait for approval count only in `approving`. */
export async function listNamespaceFacts(
  db: Db,
  uuids: readonly string[],
  approving: readonly string[],
): Promise<Map<string, NamespaceFacts>> {
  const { rows } = await sql<NamespaceFacts>`
    select n.uuid, coalesce(g.share_code, u.share_code, '') as share_code, counted.study_count, counted.thin_study_count
    from namespace n
    left join app_group g on n.kind in ('group', 'location') and g.uuid = n.owner_uuid
    left join app_user u on n.kind = 'user' and u.uuid = n.owner_uuid
    cross join lateral (
      select count(*)::integer as study_count, (count(*) filter (where thin))::integer as thin_study_count
      from (
        select s.thin
        from study s
        where s.phi_namespace = n.uuid
          and s.deleted_at is null
          and s.arrival <> 'announced'
          and ${hasLiveSource('s')}
          and (not s.must_approve or n.uuid = any(${approving as string[]}::uuid[]))
        limit ${maxCounted}
      ) capped
    ) counted
    where n.uuid = any(${uuids as string[]}::uuid[])
  `.execute(db)
  return new Map(rows.map((row) => [row.uuid, row]))
}
