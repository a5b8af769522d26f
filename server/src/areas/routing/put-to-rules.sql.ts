import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { undoUntil } from './undo-time.sql.ts'

/** How a study came to its place, as rules tell ways in apart. */
type RouteOrigin = 'upload' | 'harvest' | 'share'

interface RuledKey {
  uuid: string
  origin: RouteOrigin
  /** End of the time in which nothing but a person sends what was separated or merged. */
  undo_until: Date | null
}

/**
 * Of these records those that a rule of their place looks at after they came: `shared` by a share, else by the way that
 * the record has as its source. No rule looks at a copy without names in the place that made it: the copy is for its recipient.
 * Rules look at what a separation or a merge gave images to, or took them from, once the time for Undo is over.
 */
export async function listRuledRecords(tx: Tx, uuids: readonly string[], shared: boolean): Promise<RuledKey[]> {
  const { rows } = await sql<RuledKey>`
    select s.uuid, o.origin, ${undoUntil} as undo_until
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

/** Takes the look of rules on one occasion from the queue, and those runs of it that have not begun. */
export async function deleteLook(tx: Tx, studyUuid: string, occasion: string): Promise<void> {
  await sql`
    delete from work where job = 'look-at-rules' and state = 'waiting' and key = ${lookKey(studyUuid, occasion)}
  `.execute(tx)
  await sql`
    with put_off as (
      delete from work w
      using route_run r
      where r.study_uuid = ${studyUuid} and r.occasion = ${occasion} and r.state = 'waiting'
        and w.job = 'run-route' and w.state = 'waiting' and w.key = r.uuid::text
      returning r.uuid
    )
    delete from route_run r
    using put_off
    where r.uuid = put_off.uuid
  `.execute(tx)
}

/** Key of the work in which rules look at a study on one occasion. */
export function lookKey(studyUuid: string, occasion: string): string {
  return `${studyUuid} ${occasion}`
}
