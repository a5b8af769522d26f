import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The record that a link shows, or the namespace that it asks studies for: by these is decided who may see and change it. */
export async function findPlaceOfLink(
  db: Db,
  linkUuid: string,
): Promise<{ study_uuid: string | null; namespace_uuid: string | null } | undefined> {
  const { rows } = await sql<{ study_uuid: string | null; namespace_uuid: string | null }>`
    select (
        select ls.study_uuid
        from link_study ls
        join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
        where ls.link_uuid = l.uuid
        -- of several studies one that is there
        order by s.deleted_at is not null, ls.study_uuid
        limit 1
      ) as study_uuid, r.namespace_uuid
    from link l
    left join link_request r on r.link_uuid = l.uuid
    where l.uuid = ${linkUuid}
  `.execute(db)
  return rows[0]
}
