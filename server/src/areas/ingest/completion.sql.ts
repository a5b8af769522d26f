import { sql } from 'kysely'
import { isOwnStoredOf } from '../../access/record-sources.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { ReadyKey } from './study-ready.sql.ts'

/**
 * Ends the receiving of studies that have been quiet long enough, up to a number of them. With fewer images than were
 * announced a study stays visibly incomplete.
 */
export async function completeQuiet(tx: Tx, now: Date, limit: number): Promise<ReadyKey[]> {
  const { rows } = await sql<ReadyKey>`
    with due as (
      select s.phi_namespace, s.uuid
      from study s
      where s.arrival = 'receiving'
        and s.complete_at <= ${now}
      order by s.phi_namespace, s.uuid
      limit ${limit}
      for update skip locked
    )
    update study s
    set arrival = case when coalesce(t.image_count + t.conflict_count, 0) >= coalesce(s.expected_count, 0) then 'complete' else 'incomplete' end,
      complete_at = null,
      synced_version = t.content_version,
      updated = ${now}
    from due
    join study d on d.phi_namespace = due.phi_namespace and d.uuid = due.uuid
    left join lateral (
      select t.image_count, t.conflict_count, t.content_version
      from stored_study t
      where ${isOwnStoredOf('d')}
    ) t on true
    where s.phi_namespace = due.phi_namespace and s.uuid = due.uuid
    returning s.phi_namespace, s.uuid
  `.execute(tx)
  return rows
}

/**
 * Ends the receiving of one study because its sender says that all is sent. With fewer images than were announced it
 * stays visibly incomplete. False when it has no image yet.
 */
export async function completeOne(tx: Tx, key: ReadyKey, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update study s
    set arrival = case when t.image_count + t.conflict_count >= coalesce(s.expected_count, 0) then 'complete' else 'incomplete' end,
      complete_at = null,
      synced_at = ${now},
      synced_version = t.content_version,
      updated = ${now}
    from stored_study t
    where s.phi_namespace = ${key.phi_namespace}
      and s.uuid = ${key.uuid}
      and ${isOwnStoredOf('s')}
      and t.image_count > 0
  `.execute(tx)
  return numAffectedRows === 1n
}
