import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** What deciding about a record takes. */
export interface StudyRecord {
  uuid: string
  study_uid: string
  phi_namespace: string
  storage_namespace: string
  account_uuid: string
  must_approve: boolean
  deleted: boolean
  arrival: 'announced' | 'receiving' | 'complete' | 'incomplete'
  thin: boolean
  created_by: string | null
  mixed_patients: boolean
  phi_version: number
  row_version: number
}

const columns = sql`
  s.uuid, s.study_uid, s.phi_namespace, s.storage_namespace, s.account_uuid, s.must_approve,
  s.deleted_at is not null as deleted, s.arrival, s.thin, s.created_by, s.mixed_patients, s.phi_version, s.row_version`

export async function findRecordByUuid(db: Db, uuid: string): Promise<StudyRecord | undefined> {
  const { rows } = await sql<StudyRecord>`
    /* prepared */
    select ${columns}
    from study s
    where s.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** The record of a study in one namespace. `storageNamespace`, when given, must be one of its sources. */
export async function findRecordByUid(
  db: Db,
  phiNamespace: string,
  studyUid: string,
  storageNamespace?: string,
): Promise<StudyRecord | undefined> {
  const { rows } = await sql<StudyRecord>`
    /* prepared */
    select ${columns}
    from study s
    where s.phi_namespace = ${phiNamespace}
      and s.study_uid = ${studyUid}
      and (${storageNamespace ?? null}::uuid is null
        or s.storage_namespace = ${storageNamespace ?? null}
        or exists (
          select from study_source o
          where o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid and o.storage_namespace = ${storageNamespace ?? null}
        ))
  `.execute(db)
  return rows[0]
}

/** The namespaces among these in which a record draws its images from this stored study. */
export async function listRecordsOfStored(
  db: Db,
  namespaces: readonly string[],
  storageNamespace: string,
  studyUid: string,
): Promise<StudyRecord[]> {
  const { rows } = await sql<StudyRecord>`
    /* prepared */
    select ${columns}
    from study s
    where s.phi_namespace = any(${namespaces as string[]})
      and s.study_uid = ${studyUid}
      and (s.storage_namespace = ${storageNamespace}
        or exists (
          select from study_source o
          where o.phi_namespace = s.phi_namespace and o.study_uuid = s.uuid and o.storage_namespace = ${storageNamespace}
        ))
    order by s.created, s.uuid
  `.execute(db)
  return rows
}

export async function listRecordsByUuid(db: Db, uuids: readonly string[]): Promise<StudyRecord[]> {
  const { rows } = await sql<StudyRecord>`
    select ${columns}
    from study s
    where s.uuid = any(${uuids as string[]})
    order by s.uuid
  `.execute(db)
  return rows
}
