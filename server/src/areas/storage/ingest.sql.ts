import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Demographics } from './image-facts.ts'

/*
 * What one batch of arriving images asks and writes. Rows go in as one JSON value each, so a statement is the same
 * for one image and for sixty-four. Callers keep the order: stored studies, then records.
 */

export type StudyKey = { storage_namespace: string; study_uid: string }

/** Who an image says it is of. */
export type Identity = Pick<
  Demographics,
  'patient_name' | 'patientid' | 'issuer' | 'patient_birth_date' | 'patient_sex'
>

export type LockedStoredStudy = StudyKey & { key: number; identities: Identity[] }

/** Makes the stored studies that do not exist yet, and locks all of them. */
export async function lockStoredStudies(
  tx: Tx,
  studies: readonly (StudyKey & { account_uuid: string })[],
): Promise<LockedStoredStudy[]> {
  const found = await lockExistingStudies(tx, studies)
  if (found.length === studies.length) return found
  await sql`
    /* prepared */
    insert into stored_study (storage_namespace, study_uid, account_uuid)
    select r.storage_namespace, r.study_uid, r.account_uuid
    from json_to_recordset(${JSON.stringify(studies)}::json) as r(storage_namespace uuid, study_uid text, account_uuid uuid)
    order by r.storage_namespace, r.study_uid
    on conflict (storage_namespace, study_uid) do nothing
  `.execute(tx)
  return lockExistingStudies(tx, studies)
}

/** Locks those of these stored studies that exist. */
export async function lockExistingStudies(tx: Tx, studies: readonly StudyKey[]): Promise<LockedStoredStudy[]> {
  const { rows } = await sql<LockedStoredStudy>`
    /* prepared */
    select s.key, s.storage_namespace, s.study_uid, s.identities
    from stored_study s
    join json_to_recordset(${JSON.stringify(studies)}::json) as r(storage_namespace uuid, study_uid text)
      on s.storage_namespace = r.storage_namespace and s.study_uid = r.study_uid
    order by s.storage_namespace, s.study_uid
    for update of s
  `.execute(tx)
  return rows
}

export type SopKey = { storage_namespace: string; study_key: number; sop_uid: string }
export type KnownVersion = SopKey & { series_uid: string; version: string }

/** Every version stored so far of these SOP instances. */
export async function listVersions(tx: Tx, sops: readonly SopKey[]): Promise<KnownVersion[]> {
  const { rows } = await sql<KnownVersion>`
    /* prepared */
    select i.storage_namespace, i.study_key, i.sop_uid, i.series_uid, i.version
    from json_to_recordset(${JSON.stringify(sops)}::json) as r(storage_namespace uuid, study_key bigint, sop_uid text)
    join instance i on i.storage_namespace = r.storage_namespace and i.study_key = r.study_key and i.sop_uid = r.sop_uid
    order by i.seq
  `.execute(tx)
  return rows
}

export type BlobRow = {
  account_uuid: string
  sha256: string
  generation: number
  object_key: string
  length: number
  crc32: number
}
export type KeptBlob = Pick<BlobRow, 'account_uuid' | 'sha256' | 'generation' | 'object_key'> & {
  state: 'ready' | 'doomed'
}

/** Enters blobs; of one that is there already the row is locked and given back, with the object that holds its bytes. */
export async function keepBlobs(tx: Tx, blobs: readonly BlobRow[]): Promise<KeptBlob[]> {
  const { rows } = await sql<KeptBlob>`
    /* prepared */
    insert into blob (account_uuid, sha256, generation, object_key, length, crc32)
    select r.account_uuid, decode(r.sha256, 'hex'), r.generation, r.object_key, r.length, r.crc32
    from json_to_recordset(${JSON.stringify(blobs)}::json)
      as r(account_uuid uuid, sha256 text, generation integer, object_key text, length bigint, crc32 bigint)
    order by r.account_uuid, r.sha256
    on conflict (account_uuid, sha256, generation) do update
    set length = excluded.length
    returning account_uuid, encode(sha256, 'hex') as sha256, generation, object_key, state
  `.execute(tx)
  return rows
}

export type InstanceRow = {
  storage_namespace: string
  study_key: number
  series_uid: string
  sop_uid: string
  version: string
  is_primary: boolean
  account_uuid: string
  sha256: string
  generation: number
  sop_class: string
  transfer_syntax: string
  instance_number: number | null
  frames: number
  rows: number | null
  columns: number | null
  pixel_offset: number | null
  length: number
  crc32: number
  tail_crc32: number | null
  preamble_blank: boolean
  source: string
  source_name: string
}

/** Enters instances in the order given; their `seq` follows it. */
export async function insertInstances(tx: Tx, rows: readonly InstanceRow[]): Promise<number> {
  const { rows: first } = await sql<{ first: number }>`
    /* prepared */
    with entered as (
      insert into instance (
        storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid, sha256, generation,
        sop_class, transfer_syntax, instance_number, frames, rows, columns, pixel_offset, length, crc32, tail_crc32,
        preamble_blank, source, source_name
      )
      select
        r.storage_namespace, r.study_key, r.series_uid, r.sop_uid, r.version, r.is_primary, r.account_uuid,
        decode(r.sha256, 'hex'), r.generation, r.sop_class, r.transfer_syntax, r.instance_number, r.frames, r.rows,
        r.columns, r.pixel_offset, r.length, r.crc32, r.tail_crc32, r.preamble_blank, r.source, r.source_name
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        storage_namespace uuid, study_key bigint, series_uid text, sop_uid text, version uuid, is_primary boolean,
        account_uuid uuid, sha256 text, generation integer, sop_class text, transfer_syntax text,
        instance_number integer, frames integer, rows integer, columns integer, pixel_offset bigint, length bigint,
        crc32 bigint, tail_crc32 bigint, preamble_blank boolean, source text, source_name text
      )
      returning seq
    )
    select min(seq) as first
    from entered
  `.execute(tx)
  return first[0]?.first ?? 0
}

export type SeriesGain = {
  storage_namespace: string
  study_key: number
  series_uid: string
  modality: string
  series_number: number | null
  description: string
  series_date: string
  series_time: string
  body_part: string
  images: number
  bytes: number
}

/** Adds what arrived to its series; the first image of a series describes it. */
export async function addToSeries(tx: Tx, gains: readonly SeriesGain[], firstSeq: number): Promise<void> {
  await sql`
    /* prepared */
    insert into series (
      storage_namespace, study_key, series_uid, modality, series_number, description, series_date, series_time,
      body_part, image_count, size, first_seq
    )
    select
      r.storage_namespace, r.study_key, r.series_uid, r.modality, r.series_number, r.description, r.series_date,
      r.series_time, r.body_part, r.images, r.bytes, ${firstSeq}
    from json_to_recordset(${JSON.stringify(gains)}::json) as r(
      storage_namespace uuid, study_key bigint, series_uid text, modality text, series_number integer,
      description text, series_date text, series_time text, body_part text, images integer, bytes bigint
    )
    on conflict (storage_namespace, study_key, series_uid) do update
    set image_count = series.image_count + excluded.image_count,
      size = series.size + excluded.size
  `.execute(tx)
}

export type StudyGain = StudyKey & {
  images: number
  conflicts: number
  bytes: number
  identities: Identity[]
  modalities: string[]
}

/** Adds what arrived to its stored studies, which the caller holds locked. */
export async function addToStoredStudies(tx: Tx, gains: readonly StudyGain[], at: Date): Promise<void> {
  await sql`
    /* prepared */
    update stored_study s
    set image_count = s.image_count + r.images,
      conflict_count = s.conflict_count + r.conflicts,
      size = s.size + r.bytes,
      series_count = (
        select count(*)
        from series e
        where e.storage_namespace = s.storage_namespace and e.study_key = s.key
      ),
      identities = r.identities,
      modalities = array(select distinct m from unnest(s.modalities || r.modalities) as m where m <> '' order by m),
      content_version = s.content_version + 1,
      first_image_at = coalesce(s.first_image_at, ${at}),
      last_image_at = ${at}
    from json_to_recordset(${JSON.stringify(gains)}::json) as r(
      storage_namespace uuid, study_uid text, images integer, conflicts integer, bytes bigint, identities jsonb,
      modalities text[]
    )
    where s.storage_namespace = r.storage_namespace and s.study_uid = r.study_uid
  `.execute(tx)
}
