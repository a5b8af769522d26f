import { sql } from 'kysely'
import { storedOfRecord } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import { namesSeveral, numbersOfAll, type NumbersOfAll } from '../altered/outgoing-record.sql.ts'
import type { StudyEdit } from '../altered/study-edit.ts'

/** Versions and edits of a record on which its cached answers depend. */
export interface MetadataVersion extends NumbersOfAll {
  /** Names the sources and the state of the images in each. */
  content_version: string
  phi_version: number
  /** Of the MRN. */
  issuer: string
  edits: StudyEdit[]
  mixed_patients: boolean
}

export async function findMetadataVersion(
  db: Db,
  record: { phi_namespace: string; uuid: string },
): Promise<MetadataVersion | undefined> {
  const { rows } = await sql<MetadataVersion>`
    /* prepared */
    select t.content_version, s.phi_version, s.issuer, s.edits, ${namesSeveral} as mixed_patients, ${numbersOfAll}
    from study s
    cross join lateral (
      select string_agg(h.key || '.' || h.content_version, '_' order by h.place) as content_version
      from ${storedOfRecord} h
    ) t
    where s.phi_namespace = ${record.phi_namespace}
      and s.uuid = ${record.uuid}
      and t.content_version is not null
  `.execute(db)
  return rows[0]
}
