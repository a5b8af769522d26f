import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { StudyEdit } from '../study/study-edit.ts'

/** What a cached answer about a record depends on. */
export interface MetadataVersion {
  content_version: number
  phi_version: number
  edits: StudyEdit[]
}

export async function findMetadataVersion(
  db: Db,
  record: { phi_namespace: string; uuid: string },
): Promise<MetadataVersion | undefined> {
  const { rows } = await sql<MetadataVersion>`
    /* prepared */
    select t.content_version, s.phi_version, s.edits
    from study s
    join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
  `.execute(db)
  return rows[0]
}
