import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { seriesWent, stillFollow } from './separation.sql.ts'

/** Happenings to the record that a split made, by what keeps the split from being undone. */
interface SinceMade {
  edited: boolean
  shared: boolean
  linked: boolean
  pushed: boolean
  nominated: boolean
  attached: boolean
  'images-came': boolean
  'images-follow': boolean
  'series-went': boolean
  deleted: boolean
}

/** Happenings to both records of a split since it was made. */
export async function findSinceMade(db: Db, separationUuid: string): Promise<SinceMade | undefined> {
  const { rows } = await sql<SinceMade>`
    select coalesce(s.row_version <> p.to_row_version, false) as edited,
      exists (select from share h where h.study_uuid = p.to_study_uuid and h.state in ('scheduled', 'delivered')) as shared,
      exists (
        select
        from link_study ls
        join link l on l.uuid = ls.link_uuid
        where ls.study_uuid = p.to_study_uuid and l.ended_at is null and l.expires_at > now()
      ) as linked,
      exists (select from push u where u.study_uuid = p.to_study_uuid) as pushed,
      exists (select from nomination n where n.study_uuid = p.to_study_uuid and n.state <> 'cancelled') as nominated,
      coalesce(s.attachment_count > 0, false) as attached,
      exists (
        select
        from stored_study t
        join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
        where t.storage_namespace = p.phi_namespace and t.study_uid = p.to_study_uid and t.ended_at is null
          and not exists (
            select from deleted_instance d where d.separation_uuid = p.uuid and d.moved_version = i.version
          )
      ) as "images-came",
      ${stillFollow} as "images-follow",
      ${seriesWent} as "series-went",
      s.uuid is null or o.uuid is null as deleted
    from separation p
    left join study s on s.uuid = p.to_study_uuid and s.deleted_at is null
    left join study o on o.uuid = p.study_uuid and o.deleted_at is null
    where p.uuid = ${separationUuid} and p.state = 'made'
  `.execute(db)
  return rows[0]
}
