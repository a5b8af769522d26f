import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The record that a link shows, or the namespace that it asks studies for: by these is decided who may see and change it. */
export async function findPlaceOfLink(
  db: Db,
  linkUuid: string,
): Promise<{ study_uuid: string | null; namespace_uuid: string | null } | undefined> {
  const { rows } = await sql<{ study_uuid: string | null; namespace_uuid: string | null }>`
    select (
        select study_uuid
        from link_study
        where link_uuid = l.uuid
        order by study_uuid
        limit 1
      ) as study_uuid, r.namespace_uuid
    from link l
    left join link_request r on r.link_uuid = l.uuid
    where l.uuid = ${linkUuid}
  `.execute(db)
  return rows[0]
}
