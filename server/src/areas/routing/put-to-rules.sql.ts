import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** How a study came to its place, as rules tell ways in apart. */
type RouteOrigin = 'upload' | 'harvest' | 'share'

/**
 * Of these records those that a rule of their place looks at after they came: `shared` by a share, else by the way that
 * the record has as its source. No rule looks at a copy without names in the place that made it: the copy is for its recipient.
 */
export async function listRuledRecords(
  tx: Tx,
  uuids: readonly string[],
  shared: boolean,
): Promise<{ uuid: string; origin: RouteOrigin }[]> {
  const { rows } = await sql<{ uuid: string; origin: RouteOrigin }>`
    select s.uuid, o.origin
    from study s
    cross join lateral (select case when ${shared}::boolean then 'share' else s.source end as origin) o
    where s.uuid = any(${uuids as string[]})
      and (${shared}::boolean or o.origin in ('upload', 'harvest'))
      and not exists (
        select
        from nameless_copy c
        where c.phi_namespace = s.phi_namespace and c.copy_study_uid = s.study_uid
      )
      and exists (
        select
        from routing_rule r
        where r.account_uuid = s.account_uuid and r.deleted_at is null and not r.suspended
          and 'on_' || o.origin = any(r.flags)
          and (r.namespace_uuid = s.phi_namespace or s.phi_namespace = any(r.other_namespaces))
      )
    order by s.uuid
  `.execute(tx)
  return rows
}
