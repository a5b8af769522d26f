import { sql } from 'kysely'
import { isLive } from '../../access/record-sources.sql.ts'
import { sourcesOf, sourcesOfSharedRecord } from '../../access/source-rows.sql.ts'
import type { Db } from '../../db/database.ts'

/**
 * The records of others that the images of a record come from: those that shared them and those that these had them from,
 * to the first, and the originals of copies among them. In the order of their uuids.
 */
export async function listOrigins(db: Db, key: { phi_namespace: string; uuid: string }): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    with recursive source as (
      select o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, o.copied_from
      from ${sourcesOf(key)} o
      where ${isLive}
      union
      select o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, o.copied_from
      from source r
      join share h on h.uuid = r.share_uuid
      join lateral ${sourcesOfSharedRecord} o
        on o.storage_namespace = r.storage_namespace and o.generation = r.generation
    ), named as (
      select f.uuid
      from source r
      left join share h on h.uuid = r.share_uuid
      cross join lateral unnest(array[r.study_uuid, h.study_uuid] || coalesce(r.copied_from, '{}')) as f (uuid)
    ), original as (
      select f.uuid
      from study s
      join nameless_copy c on c.phi_namespace = s.phi_namespace and c.copy_study_uid = s.study_uid
      cross join lateral unnest(c.study_uuid || c.copied_from) as f (uuid)
      where s.uuid in (select uuid from named)
    )
    select uuid from (select uuid from named union select uuid from original) f
    where uuid <> ${key.uuid}
    order by uuid
  `.execute(db)
  return rows.map((row) => row.uuid)
}
