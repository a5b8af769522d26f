import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type CompletedRecord = { phi_namespace: string; uuid: string }

/**
 * Ends the receiving of studies that have been quiet long enough, and tells who watches. With fewer images than were
 * announced a study stays visibly incomplete.
 */
export async function completeQuiet(db: Db, now: Date): Promise<CompletedRecord[]> {
  const { rows } = await sql<CompletedRecord>`
    with due as (
      select s.phi_namespace, s.uuid
      from study s
      where s.arrival = 'receiving'
        and s.complete_at <= ${now}
      order by s.phi_namespace, s.uuid
      for update skip locked
    ), done as (
      update study s
      set arrival = case when coalesce(t.image_count + t.conflict_count, 0) >= coalesce(s.expected_count, 0) then 'complete' else 'incomplete' end,
        complete_at = null,
        synced_version = t.content_version,
        updated = ${now}
      from due
      join study d on d.phi_namespace = due.phi_namespace and d.uuid = due.uuid
      left join stored_study t on t.storage_namespace = d.storage_namespace and t.study_uid = d.study_uid
      where s.phi_namespace = due.phi_namespace and s.uuid = due.uuid
      returning s.phi_namespace, s.uuid
    ), told as (
      insert into event (namespace_uuid, kind, uuid)
      select phi_namespace, 'ready', uuid
      from done
    )
    select phi_namespace, uuid
    from done
    order by phi_namespace, uuid
  `.execute(db)
  return rows
}

/**
 * Ends the receiving of one study because its sender says that all is sent. With fewer images than were announced it
 * stays visibly incomplete. False when it has no image yet.
 */
export async function completeOne(db: Db, key: CompletedRecord, now: Date): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      update study s
      set arrival = case when t.image_count + t.conflict_count >= coalesce(s.expected_count, 0) then 'complete' else 'incomplete' end,
        complete_at = null,
        synced_at = ${now},
        synced_version = t.content_version,
        updated = ${now}
      from stored_study t
      where s.phi_namespace = ${key.phi_namespace}
        and s.uuid = ${key.uuid}
        and t.storage_namespace = s.storage_namespace
        and t.study_uid = s.study_uid
        and t.image_count > 0
      returning s.phi_namespace, s.uuid
    )
    insert into event (namespace_uuid, kind, uuid)
    select phi_namespace, 'ready', uuid
    from done
    returning 1
  `.execute(db)
  return rows.length > 0
}
