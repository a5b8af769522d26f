import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { ImageDifference } from './arrived-image.ts'
import type { ArrivingIdentity, StoredKey } from '../storage/ingest.sql.ts'
import type { IndexedInstance, StoredSeries } from '../storage/instance.sql.ts'

export type InstanceRow = IndexedInstance & {
  storage_namespace: string
  study_key: number
  generation: number
  source: string
  source_name: string
  /** From the version that was there first; null when there was none, or they could not be compared. */
  differs: ImageDifference | null
}

export type SeriesGain = Omit<StoredSeries, 'image_count' | 'size'> & {
  storage_namespace: string
  study_key: number
  images: number
  bytes: number
}

export type StudyGain = StoredKey & {
  study_key: number
  images: number
  conflicts: number
  bytes: number
  identities: ArrivingIdentity[]
  modalities: string[]
}

export type TouchedRecord = {
  phi_namespace: string
  uuid: string
  is_own: boolean
  quiet_seconds: number
  mixed_patients: boolean
  modalities: string[]
}

type Listing = {
  /** Entered in this order; their `seq` follows it. */
  instances: readonly InstanceRow[]
  /** The first image of a series describes it. */
  series: readonly SeriesGain[]
  studies: readonly StudyGain[]
  /** Marked as receiving, which everybody who watches them is told. */
  records: readonly TouchedRecord[]
}

/**
 * Enters a batch of images with all that follows from them. The caller holds stored studies and records locked.
 *
 * A list given as JSON counts as a hundred rows, for which PostgreSQL would read small tables whole (232 blocks for one
 * image beside 3,000 studies, instead of 40). The keys are therefore given as arrays besides.
 */
export async function enterListing(tx: Tx, { instances, series, studies, records }: Listing, at: Date): Promise<void> {
  await sql`
    /* prepared */
    with entered as (
      insert into instance (
        storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid, sha256, generation,
        sop_class, transfer_syntax, instance_number, frames, rows, columns, pixel_offset, length, crc32, tail_crc32,
        preamble_blank, bare_start, accession_number, source, source_name, differs
      )
      select
        r.storage_namespace, r.study_key, r.series_uid, r.sop_uid, r.version, r.is_primary, r.account_uuid,
        decode(r.sha256, 'hex'), r.generation, r.sop_class, r.transfer_syntax, r.instance_number, r.frames, r.rows,
        r.columns, r.pixel_offset, r.length, r.crc32, r.tail_crc32, r.preamble_blank, r.bare_start,
        r.accession_number, r.source, r.source_name, r.differs
      from json_to_recordset(${JSON.stringify(instances)}::json) as r(
        storage_namespace uuid, study_key bigint, series_uid text, sop_uid text, version uuid, is_primary boolean,
        account_uuid uuid, sha256 text, generation integer, sop_class text, transfer_syntax text,
        instance_number integer, frames integer, rows integer, columns integer, pixel_offset bigint, length bigint,
        crc32 bigint, tail_crc32 bigint, preamble_blank boolean, bare_start integer, accession_number text,
        source text, source_name text, differs jsonb
      )
      returning seq
    ), arrived as (
      select r.*
      from json_to_recordset(${JSON.stringify(series)}::json) as r(
        storage_namespace uuid, study_key bigint, series_uid text, modality text, series_number integer,
        description text, series_date text, series_time text, body_part text, images integer, bytes bigint
      )
    ), grown as (
      insert into series (
        storage_namespace, study_key, series_uid, modality, series_number, description, series_date, series_time,
        body_part, image_count, size, first_seq
      )
      select a.storage_namespace, a.study_key, a.series_uid, a.modality, a.series_number, a.description, a.series_date,
        a.series_time, a.body_part, a.images, a.bytes, (select min(seq) from entered)
      from arrived a
      on conflict (storage_namespace, study_key, series_uid) do update
      set image_count = series.image_count + excluded.image_count,
        size = series.size + excluded.size
    ), counted as (
      update stored_study s
      set image_count = s.image_count + r.images,
        conflict_count = s.conflict_count + r.conflicts,
        size = s.size + r.bytes,
        series_count = (
          select count(*)
          from (
            select e.series_uid
            from series e
            where e.storage_namespace = s.storage_namespace and e.study_key = s.key
            union
            select a.series_uid
            from arrived a
            where a.storage_namespace = s.storage_namespace and a.study_key = s.key
          ) as its
        ),
        identities = r.identities,
        modalities = array(select distinct m from unnest(s.modalities || r.modalities) as m where m <> '' order by m),
        content_version = s.content_version + 1,
        first_image_at = coalesce(s.first_image_at, ${at}),
        last_image_at = ${at}
      from json_to_recordset(${JSON.stringify(studies)}::json) as r(
        storage_namespace uuid, study_key bigint, images integer, conflicts integer, bytes bigint, identities jsonb,
        modalities text[]
      )
      where s.storage_namespace = r.storage_namespace and s.key = r.study_key
        and s.key = any(${studies.map((one) => one.study_key)}::bigint[])
    ), touched as (
      update study s
      set arrival = case when r.is_own then 'receiving' else s.arrival end,
        complete_at = case when r.is_own then ${at}::timestamptz + make_interval(secs => r.quiet_seconds) else s.complete_at end,
        phantom_until = case when r.is_own then null else s.phantom_until end,
        mixed_patients = s.mixed_patients or r.mixed_patients,
        modalities = array(select distinct m from unnest(s.modalities || r.modalities) as m where m <> '' order by m),
        thin = case when r.is_own then false else s.thin end,
        updated = ${at}
      from json_to_recordset(${JSON.stringify(records)}::json) as r(
        phi_namespace uuid, uuid uuid, is_own boolean, quiet_seconds integer, mixed_patients boolean, modalities text[]
      )
      where s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
        and s.uuid = any(${records.map((one) => one.uuid)}::uuid[])
      returning s.phi_namespace, s.uuid
    )
    insert into event (namespace_uuid, kind, uuid)
    select phi_namespace, 'study', uuid
    from touched
  `.execute(tx)
}
