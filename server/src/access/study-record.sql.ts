import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { drawsOnNamespace, namesOfSources } from './record-sources.sql.ts'
import { isTakenBack } from './taken-back.sql.ts'

/** The columns of a study record by which access is decided. */
export interface StudyRecord {
  uuid: string
  study_uid: string
  phi_namespace: string
  /** One namespace by which storage addresses name the study; whatever they name, they mean all sources. */
  storage_namespace: string
  /** Names of the live sources. */
  sources: string[]
  /** Whether a share made the record: it is gone with the last of its sources. */
  is_shared: boolean
  account_uuid: string
  must_approve: boolean
  deleted: boolean
  /** The owner took the study back. */
  is_retracted: boolean
  /** The owner of another place's record did so. */
  is_taken_back: boolean
  arrival: 'announced' | 'receiving' | 'complete' | 'incomplete'
  thin: boolean
  created_by: string | null
  mixed_patients: boolean
  phi_version: number
  row_version: number
  /** Whether its reports stay hidden from the reader; `seeRecord` decides. */
  withholds_reports: boolean
  /** Former patients of corrected images stay hidden: from somebody who opened a link. */
  withholds_former: boolean
}

const columns = sql`
  s.uuid, s.study_uid, s.phi_namespace, s.storage_namespace, s.account_uuid, s.must_approve,
  s.deleted_at is not null as deleted, s.arrival, s.thin, s.created_by, s.mixed_patients, s.phi_version, s.row_version,
  s.source = 'share' as is_shared, false as withholds_reports, false as withholds_former,
  s.retraction_uuid is not null as is_retracted, ${isTakenBack('s')} as is_taken_back, ${namesOfSources} as sources`

/** Condition: storage addresses of record `s` may name this namespace. */
const isAddressedBy = (storageNamespace: string) =>
  sql`(s.phi_namespace = ${storageNamespace} or ${drawsOnNamespace(storageNamespace)})`

export async function findRecordByUuid(db: Db, uuid: string): Promise<StudyRecord | undefined> {
  const { rows } = await sql<StudyRecord>`
    /* prepared */
    select ${columns}
    from study s
    where s.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** The record of a study in one namespace, unless it is deleted. `storageNamespace`, when given, is its own or one of its sources'. */
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
      and s.deleted_at is null
      and ${storageNamespace === undefined ? sql`true` : isAddressedBy(storageNamespace)}
  `.execute(db)
  return rows[0]
}

/** The record of a study that was deleted last in one namespace. */
export async function findDeletedRecordByUid(
  db: Db,
  phiNamespace: string,
  studyUid: string,
): Promise<StudyRecord | undefined> {
  const { rows } = await sql<StudyRecord>`
    select ${columns}
    from (select * from study where study_uid = ${studyUid} offset 0) s
    where s.phi_namespace = ${phiNamespace}
      and s.deleted_at is not null
    order by s.deleted_at desc, s.uuid
    limit 1
  `.execute(db)
  return rows[0]
}

/** Records of these namespaces, not deleted, that draw images from one namespace; the record of that namespace comes first. */
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
      and s.deleted_at is null
      and ${isAddressedBy(storageNamespace)}
    order by s.phi_namespace <> ${storageNamespace}, s.created, s.uuid
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
