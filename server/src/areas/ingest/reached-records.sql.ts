import { sql } from 'kysely'
import { isLive } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { ArrivingIdentity, BlobRow, StoredBlob, StoredKey } from '../storage/ingest.sql.ts'
import { otherStudiesOf } from '../storage/instance.sql.ts'

type SopKey = { storage_namespace: string; study_key: number; sop_uid: string }
/** `is_stored` is false of bytes that came and hold the same as another version. */
export type KnownVersion = SopKey & { series_uid: string; version: string; is_stored: boolean }

export type ReachedRecord = StoredKey & {
  phi_namespace: string
  uuid: string
  /** Announced, or thin: it says what it was told, until images say it. */
  awaits_images: boolean
  /** The record that the images were sent to; others show them through a share. */
  is_own: boolean
  has_own_source: boolean
  /** The user or link, or the AE title, whose images it waits for since it was made; null once these have come, or where a share or copy made it. */
  first_sender: string | null
  edits: { tag: string; old: string; new: string; isOnWord?: boolean }[]
  /** Of the patients that its images from other sources name. */
  other_identities: ArrivingIdentity[]
}

/** Another study of the namespace that holds an image of the same SOP UID. */
export type ElsewhereStudy = { study_key: number; sop_uid: string; study_uid: string }

type ReachedAndKnown = {
  /** Every version stored so far of the SOP instances. */
  known: KnownVersion[]
  /** Every record that shows one of the stored studies, locked. */
  reached: ReachedRecord[]
  /** By the stored study and SOP UID that were asked for. */
  elsewhere: ElsewhereStudy[]
  /** Blobs of the new images, entered or met. */
  blobs: StoredBlob[]
}

/** The blob of an image that is new unless a version of its SOP instance is stored. */
export type ExpectedBlob = SopKey & BlobRow

/**
 * Stored versions and records that arriving images meet, and the blobs of those images whose SOP instance is not stored
 * yet, entered in the same statement: each statement that an image waits for costs its sender a millisecond. The caller holds the stored studies locked, so that both stay.
 *
 * The keys come as arrays: a list given as JSON counts as a hundred rows, for which PostgreSQL would read whole tables
 * that it has not analysed yet. The arrays stand in sub-selects: PostgreSQL counts the entries of an array that it
 * knows, takes such a plan for the cheaper one and would plan anew for every image (0.6 ms of CPU instead of 0.17).
 */
export async function lockReachedRecords(
  tx: Tx,
  studies: readonly StoredKey[],
  sops: readonly SopKey[],
  expected: readonly ExpectedBlob[] = [],
): Promise<ReachedAndKnown> {
  const { rows } = await sql<ReachedAndKnown>`
    /* prepared */
    with known as (
      select i.storage_namespace, i.study_key, i.sop_uid, i.series_uid, i.version, true as is_stored
      from unnest(
        (select ${sops.map((one) => one.storage_namespace)}::uuid[]),
        (select ${sops.map((one) => one.study_key)}::bigint[]),
        (select ${sops.map((one) => one.sop_uid)}::text[])
      ) as r(storage_namespace, study_key, sop_uid)
      join instance i on i.storage_namespace = r.storage_namespace and i.study_key = r.study_key and i.sop_uid = r.sop_uid
      order by i.seq
    ), reached as (
      select s.phi_namespace, s.uuid, s.study_uid, r.storage_namespace, r.generation, s.edits,
        s.arrival = 'announced' or s.thin as awaits_images,
        s.phi_namespace = r.storage_namespace and s.deleted_at is null as is_own,
        case when s.synced_version is null and s.source in ('upload', 'harvest')
          then coalesce(s.created_by::text, s.source_ae_title) end as first_sender,
        sources.has_own_source, sources.other_identities
      from unnest(
        (select ${studies.map((one) => one.storage_namespace)}::uuid[]),
        (select ${studies.map((one) => one.study_uid)}::text[]),
        (select ${studies.map((one) => one.generation)}::integer[])
      ) as r(storage_namespace, study_uid, generation)
      join study s on s.study_uid = r.study_uid
      cross join lateral (
        select coalesce(bool_or(o.storage_namespace = s.phi_namespace), false) as has_own_source,
          coalesce(json_agg(i.identity) filter (where i.identity is not null), '[]') as other_identities
        from ${sourcesOf('s')} o
        left join lateral (
          select t.identities
          from stored_study t
          where o.storage_namespace <> r.storage_namespace
            and t.storage_namespace = o.storage_namespace and t.study_uid = s.study_uid and t.generation = o.generation
            and ${isLive}
          limit 1
        ) t on true
        left join lateral jsonb_array_elements(t.identities) as i (identity) on true
      ) sources
      where (s.phi_namespace = r.storage_namespace and s.deleted_at is null)
        or exists (
          select
          from ${sourcesOf('s')} o
          where o.storage_namespace = r.storage_namespace and o.generation = r.generation
        )
      order by s.phi_namespace, s.uuid
      for update of s
    ), elsewhere as (
      select distinct r.study_key, r.sop_uid, t.study_uid
      from unnest(
        (select ${sops.map((one) => one.storage_namespace)}::uuid[]),
        (select ${sops.map((one) => one.study_key)}::bigint[]),
        (select ${sops.map((one) => one.sop_uid)}::text[])
      ) as r(storage_namespace, study_key, sop_uid)
      cross join lateral (${otherStudiesOf(sql`r.storage_namespace`, sql`r.study_key`, sql`r.sop_uid`)}) t
    ), blobs as (
      insert into blob (account_uuid, sha256, generation, object_key, length, crc32)
      select r.account_uuid, decode(r.sha256, 'hex'), r.generation, r.object_key, r.length, r.crc32
      from json_to_recordset(${JSON.stringify(expected)}::json) as r(
        storage_namespace uuid, study_key bigint, sop_uid text, account_uuid uuid, sha256 text, generation integer,
        object_key text, length bigint, crc32 bigint
      )
      where not exists (
        select
        from known k
        where k.storage_namespace = r.storage_namespace and k.study_key = r.study_key and k.sop_uid = r.sop_uid
      )
      order by r.account_uuid, r.sha256
      on conflict (account_uuid, sha256, generation) do update
      set length = excluded.length
      returning account_uuid, encode(sha256, 'hex') as sha256, generation, object_key, state
    )
    select
      (select coalesce(json_agg(known), '[]') from known) as known,
      (select coalesce(json_agg(reached), '[]') from reached) as reached,
      (select coalesce(json_agg(elsewhere), '[]') from elsewhere) as elsewhere,
      (select coalesce(json_agg(blobs), '[]') from blobs) as blobs
  `.execute(tx)
  return rows[0] ?? { known: [], reached: [], elsewhere: [], blobs: [] }
}
