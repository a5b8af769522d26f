import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Demographics } from './image-facts.ts'

/*
 * Statements for one batch of arriving images. Rows go in as one JSON value each, so a statement is the same
 * for one image and for sixty-four. Callers keep the order: stored studies, then records.
 */

export type IngestedStudyKey = { storage_namespace: string; study_uid: string }

/** A stored study. A deletion ends its generation; images that arrive afterwards begin the next. */
export type StoredKey = IngestedStudyKey & { generation: number }

/** The patient that an image names. */
export type ArrivingIdentity = Pick<
  Demographics,
  'patient_name' | 'patientid' | 'issuer' | 'patient_birth_date' | 'patient_sex'
>

export type LockedStoredStudy = StoredKey & {
  key: number
  identities: ArrivingIdentity[]
  /** Images of it moved to another study: what arrives may follow them. */
  is_separated: boolean
}

/** Locks the stored studies that take what arrives of these studies, and makes those that do not exist yet. */
export async function lockStoredStudies(
  tx: Tx,
  studies: readonly (IngestedStudyKey & { account_uuid: string })[],
): Promise<LockedStoredStudy[]> {
  const found = await lockOpenStudies(tx, studies)
  const missing = studies.filter((study) => !found.some((one) => isSameStudy(one, study)))
  if (missing.length === 0) return found
  const { rows: made } = await sql<LockedStoredStudy>`
    /* prepared */
    insert into stored_study (storage_namespace, study_uid, generation, account_uuid, is_separated)
    select r.storage_namespace, r.study_uid,
      1 + coalesce((
        select max(o.generation)
        from stored_study o
        where o.storage_namespace = r.storage_namespace and o.study_uid = r.study_uid
      ), 0), r.account_uuid, exists (
        select
        from separation p
        where p.phi_namespace = r.storage_namespace and p.study_uid = r.study_uid and p.state = 'made'
      )
    from json_to_recordset(${JSON.stringify(missing)}::json) as r(storage_namespace uuid, study_uid text, account_uuid uuid)
    order by r.storage_namespace, r.study_uid
    on conflict (storage_namespace, study_uid) where ended_at is null do update
    set study_uid = excluded.study_uid
    returning key, storage_namespace, study_uid, generation, identities, is_separated
  `.execute(tx)
  return [...found, ...made]
}

export function isSameStudy(one: IngestedStudyKey, other: IngestedStudyKey): boolean {
  return one.storage_namespace === other.storage_namespace && one.study_uid === other.study_uid
}

/** Locks those of these studies whose generation has not ended. The keys come as arrays, as in `lockReachedRecords`. */
export async function lockOpenStudies(tx: Tx, studies: readonly IngestedStudyKey[]): Promise<LockedStoredStudy[]> {
  const { rows } = await sql<LockedStoredStudy>`
    /* prepared */
    select s.key, s.storage_namespace, s.study_uid, s.generation, s.identities, s.is_separated
    from (
      select *
      from unnest(
        (select ${studies.map((one) => one.storage_namespace)}::uuid[]),
        (select ${studies.map((one) => one.study_uid)}::text[])
      ) as r(storage_namespace, study_uid)
      order by r.storage_namespace, r.study_uid
    ) r
    cross join lateral (
      select *
      from stored_study o
      where o.storage_namespace = r.storage_namespace and o.study_uid = r.study_uid and o.ended_at is null
      limit 1
      for update
    ) s
  `.execute(tx)
  return rows
}

/** Locks a stored study of any generation. */
export async function lockStoredStudy(tx: Tx, stored: StoredKey): Promise<LockedStoredStudy | undefined> {
  const { rows } = await sql<LockedStoredStudy>`
    select s.key, s.storage_namespace, s.study_uid, s.generation, s.identities, s.is_separated
    from stored_study s
    where s.storage_namespace = ${stored.storage_namespace}
      and s.study_uid = ${stored.study_uid}
      and s.generation = ${stored.generation}
    for update of s
  `.execute(tx)
  return rows[0]
}

export type BlobRow = {
  account_uuid: string
  sha256: string
  generation: number
  object_key: string
  /** Where the bytes begin in the object; at its start without one. */
  byte_offset?: number
  length: number
  crc32: number
}
export type StoredBlob = Pick<BlobRow, 'account_uuid' | 'sha256' | 'generation' | 'object_key'> & {
  state: 'ready' | 'doomed'
}

/** Enters blobs; of one that is there already the row is locked and given back, with the object that holds its bytes. */
export async function insertBlobs(tx: Tx, blobs: readonly BlobRow[]): Promise<StoredBlob[]> {
  const { rows } = await sql<StoredBlob>`
    /* prepared */
    insert into blob (account_uuid, sha256, generation, object_key, byte_offset, length, crc32)
    select r.account_uuid, decode(r.sha256, 'hex'), r.generation, r.object_key, coalesce(r.byte_offset, 0), r.length,
      r.crc32
    from json_to_recordset(${JSON.stringify(blobs)}::json) as r(
      account_uuid uuid, sha256 text, generation integer, object_key text, byte_offset bigint, length bigint, crc32 bigint
    )
    order by r.account_uuid, r.sha256
    on conflict (account_uuid, sha256, generation) do update
    set length = excluded.length
    returning account_uuid, encode(sha256, 'hex') as sha256, generation, object_key, state
  `.execute(tx)
  return rows
}
