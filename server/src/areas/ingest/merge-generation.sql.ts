import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import type { ArrivingIdentity, LockedStoredStudy, StoredBlob } from '../storage/ingest.sql.ts'

type RecordKey = { phi_namespace: string; uuid: string }

const columns = sql`
  series_uid, sop_uid, version, sha256, sop_class, transfer_syntax, instance_number, frames, rows, columns, pixel_offset,
  length, crc32, tail_crc32, preamble_blank, bare_start, accession_number, source, source_name, arrived,
  differs`

/**
 * Enters the images of one stored study in another besides, also of another namespace. Where both have an image, that of
 * the other stays the one shown. The first keeps its images for the records that draw on it.
 * @param blobs the bytes of images that belong to another account, as that of the second study has them
 * @returns how many images came in
 */
export async function bringImagesIn(
  tx: Tx,
  from: Pick<LockedStoredStudy, 'storage_namespace' | 'key'>,
  to: Pick<LockedStoredStudy, 'storage_namespace' | 'key'>,
  blobs: readonly StoredBlob[] = [],
): Promise<number> {
  const { rows } = await sql<{ images: number }>`
    with bytes as materialized (
      select r.account_uuid as own_account, decode(r.sha256, 'hex') as own_sha256, r.generation as own_generation
      from json_to_recordset(${JSON.stringify(blobs)}::json) as r(account_uuid uuid, sha256 text, generation integer)
    ), brought as (
      insert into instance (storage_namespace, study_key, is_primary, account_uuid, generation, ${columns})
      select ${to.storage_namespace}, ${to.key}, i.is_primary and not exists (
          select
          from instance n
          where n.storage_namespace = ${to.storage_namespace} and n.study_key = ${to.key}
            and n.series_uid = i.series_uid and n.sop_uid = i.sop_uid
        ), coalesce(b.own_account, i.account_uuid), coalesce(b.own_generation, i.generation), ${columns}
      from instance i
      left join bytes b on b.own_sha256 = i.sha256 and b.own_account <> i.account_uuid
      where i.storage_namespace = ${from.storage_namespace} and i.study_key = ${from.key}
      order by i.seq
      on conflict (storage_namespace, study_key, series_uid, sop_uid, version) do nothing
      returning 1
    )
    select count(*)::integer as images
    from brought
  `.execute(tx)
  await sql`
    insert into series (storage_namespace, study_key, series_uid, modality, series_number, description, series_date,
      series_time, body_part, first_seq)
    select ${to.storage_namespace}, ${to.key}, e.series_uid, e.modality, e.series_number, e.description, e.series_date,
      e.series_time, e.body_part, e.first_seq
    from series e
    where e.storage_namespace = ${from.storage_namespace} and e.study_key = ${from.key}
    on conflict (storage_namespace, study_key, series_uid) do nothing
  `.execute(tx)
  await sql`
    insert into same_content (storage_namespace, study_key, sop_uid, sha256, version, stored_version)
    select ${to.storage_namespace}, ${to.key}, sop_uid, sha256, version, stored_version
    from same_content
    where storage_namespace = ${from.storage_namespace} and study_key = ${from.key}
    on conflict do nothing
  `.execute(tx)
  return rows[0]?.images ?? 0
}

/** Moves the images that were deleted one by one from a generation of a stored study to another. */
export async function bringDeletedIn(
  tx: Tx,
  from: Pick<LockedStoredStudy, 'storage_namespace' | 'key'>,
  to: Pick<LockedStoredStudy, 'key'>,
): Promise<void> {
  await sql`
    update deleted_instance
    set study_key = ${to.key}
    where storage_namespace = ${from.storage_namespace} and study_key = ${from.key}
  `.execute(tx)
}

/** Notes of a stored study and the records that show it whose images it holds now. */
export async function setIdentities(
  tx: Tx,
  stored: Pick<LockedStoredStudy, 'storage_namespace' | 'key'>,
  identities: readonly ArrivingIdentity[],
): Promise<void> {
  await sql`
    update stored_study
    set identities = ${JSON.stringify(identities)}::jsonb, last_image_at = now()
    where storage_namespace = ${stored.storage_namespace} and key = ${stored.key}
  `.execute(tx)
}

/**
 * Gives a record what another one of the same study holds: attachments, tags, stars, the custom fields that are empty
 * here, a legal hold with its reason and the later retention.
 */
export async function mergeRecords(
  tx: Tx,
  from: RecordKey,
  to: RecordKey,
  { edits, isMixed }: { edits: readonly StudyEdit[]; isMixed: boolean },
): Promise<void> {
  await sql`
    insert into attachment (phi_namespace, study_uuid, id, version, filename, account_uuid, sha256, generation, length,
      stored, stored_by, deleted_at)
    select phi_namespace, ${to.uuid}, id, version, filename, account_uuid, sha256, generation, length, stored, stored_by,
      deleted_at
    from attachment
    where phi_namespace = ${from.phi_namespace} and study_uuid = ${from.uuid}
    on conflict do nothing
  `.execute(tx)
  await sql`
    insert into study_star (user_uuid, phi_namespace, study_uuid)
    select user_uuid, phi_namespace, ${to.uuid}
    from study_star
    where phi_namespace = ${from.phi_namespace} and study_uuid = ${from.uuid}
    on conflict do nothing
  `.execute(tx)
  await sql`
    update study s
    set tags = s.tags || array(select tag from unnest(d.tags) as tag where tag <> all(s.tags) order by tag),
      customfields = d.customfields || (
        select coalesce(jsonb_object_agg(key, value), '{}')
        from jsonb_each(s.customfields)
        where value <> '""' or not d.customfields ? key
      ),
      edits = s.edits || ${JSON.stringify(edits)}::jsonb,
      hold = s.hold or d.hold,
      hold_reason = concat_ws(' · ', nullif(s.hold_reason, ''), nullif(d.hold_reason, '')),
      retain_until = greatest(s.retain_until, d.retain_until),
      mixed_patients = s.mixed_patients or ${isMixed},
      attachment_count = (
        select count(*)
        from attachment a
        where a.phi_namespace = s.phi_namespace and a.study_uuid = s.uuid and a.deleted_at is null
      ),
      phi_version = s.phi_version + 1, row_version = s.row_version + 1, updated = now()
    from study d
    where s.phi_namespace = ${to.phi_namespace}
      and s.uuid = ${to.uuid}
      and d.phi_namespace = ${from.phi_namespace}
      and d.uuid = ${from.uuid}
  `.execute(tx)
}
