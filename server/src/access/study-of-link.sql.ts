import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The record that a link shows, by which it is decided who may see and change the link. */
export async function findStudyOfLink(db: Db, linkUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ study_uuid: string }>`
    select study_uuid
    from link_study
    where link_uuid = ${linkUuid}
    order by study_uuid
    limit 1
  `.execute(db)
  return rows[0]?.study_uuid
}
