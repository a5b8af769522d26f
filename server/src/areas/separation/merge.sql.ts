import { sql } from 'kysely'
import { drawsOnStored } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { ArrivingIdentity, LockedStoredStudy, StoredKey } from '../storage/ingest.sql.ts'
import { type SeparationRow, seriesWent, stillFollow } from './separation.sql.ts'

/** One of two exams that are to be merged: its record, and the stored study of its own images. */
export type MergeSide = Demographics & {
  study_key: number
  modality: string
  edits: StudyEdit[]
  row_version: number
  attachments: number
  images: number
  series: number
  content_version: number
  identities: ArrivingIdentity[]
  /** Numbers of its images, every version of each. */
  seqs: number[]
}

export async function findMergeSide(
  db: Db,
  record: { phi_namespace: string; uuid: string },
  key: StoredKey,
): Promise<MergeSide | undefined> {
  const { rows } = await sql<MergeSide>`
    select s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex, s.accession_number,
      s.study_description, s.study_date, s.study_time, s.referring_physician, s.modality, s.edits, s.row_version, t.key as study_key,
      s.attachment_count as attachments, t.image_count as images, t.series_count as series, t.content_version,
      t.identities, (
        select coalesce(json_agg(i.seq order by i.seq), '[]')
        from instance i
        where i.storage_namespace = t.storage_namespace and i.study_key = t.key
      ) as seqs
    from study s
    join stored_study t on t.storage_namespace = ${key.storage_namespace} and t.study_uid = ${key.study_uid}
      and t.generation = ${key.generation}
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
  `.execute(db)
  return rows[0]
}

/**
 * Whether images that come for one study go to another one: all of them, or, by way of any number of separations, some to
 * a certain study.
 */
export async function goesOn(
  db: Db,
  { phi_namespace, study_uid }: { phi_namespace: string; study_uid: string },
  toStudyUid: string,
): Promise<boolean> {
  const { rows } = await sql<{ goes_on: boolean }>`
    with recursive gone (study_uid) as (
      select ${study_uid}::text
      union
      select p.to_study_uid
      from gone
      join separation p on p.phi_namespace = ${phi_namespace} and p.study_uid = gone.study_uid and p.state = 'made'
    )
    select exists (select from gone where gone.study_uid = ${toStudyUid})
      or exists (
        select
        from separation p
        where p.phi_namespace = ${phi_namespace} and p.study_uid = ${study_uid} and p.state = 'made' and p.kind = 'merge' and not p.is_part
      ) as goes_on
  `.execute(db)
  return rows[0]?.goes_on ?? false
}

/** Every image of a stored study by its UIDs, every version of each; one of them is shown. */
export async function listImageNames(
  db: Db,
  key: StoredKey,
): Promise<{ seq: number; series_uid: string; sop_uid: string; is_primary: boolean }[]> {
  const { rows } = await sql<{ seq: number; series_uid: string; sop_uid: string; is_primary: boolean }>`
    select i.seq, i.series_uid, i.sop_uid, i.is_primary
    from stored_study t
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
    where t.storage_namespace = ${key.storage_namespace} and t.study_uid = ${key.study_uid}
      and t.generation = ${key.generation}
    order by i.seq
  `.execute(db)
  return rows
}

/**
 * Images and series of one stored study whose UIDs stand in another one.
 * @param seqs the images that count; without them all do
 */
export async function countRenamed(
  db: Db,
  from: StoredKey,
  to: StoredKey,
  seqs?: readonly number[],
): Promise<{ images: number; series: number }> {
  const uids = (key: StoredKey) => sql`(
    select i.series_uid, i.sop_uid, i.seq
    from stored_study t
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
    where t.storage_namespace = ${key.storage_namespace} and t.study_uid = ${key.study_uid}
      and t.generation = ${key.generation}
  )`
  const isCounted = seqs ? sql`a.seq = any(${seqs as number[]}::bigint[])` : sql`true`
  const { rows } = await sql<{ images: number; series: number }>`
    select
      (
        select count(distinct a.sop_uid)::integer from ${uids(from)} a
        where a.sop_uid in (select b.sop_uid from ${uids(to)} b) and ${isCounted}
      ) as images,
      (
        select count(distinct a.series_uid)::integer
        from ${uids(from)} a
        where a.series_uid in (select b.series_uid from ${uids(to)} b) and ${isCounted}
      ) as series
  `.execute(db)
  return rows[0] ?? { images: 0, series: 0 }
}

/** Shows the images of a merge, which were stored anew aside, in the study that they go to; each version as its original was. */
export async function moveStaged(
  tx: Tx,
  uuid: string,
  staged: LockedStoredStudy,
  to: LockedStoredStudy,
): Promise<void> {
  const stagedKey = sql`${staged.key}::bigint`
  const toKey = sql`${to.key}::bigint`
  await sql`
    insert into series (storage_namespace, study_key, series_uid, modality, series_number, description, series_date,
      series_time, body_part, first_seq)
    select e.storage_namespace, ${toKey}, e.series_uid, e.modality, e.series_number, e.description, e.series_date,
      e.series_time, e.body_part, e.first_seq
    from series e
    where e.storage_namespace = ${staged.storage_namespace} and e.study_key = ${stagedKey}
    on conflict (storage_namespace, study_key, series_uid) do nothing
  `.execute(tx)
  await sql`
    update instance i
    set study_key = ${toKey}, differs = d.differs, is_settled = d.is_settled, is_primary = d.is_primary and not exists (
        select
        from instance n
        where n.storage_namespace = i.storage_namespace and n.study_key = ${toKey} and n.sop_uid = i.sop_uid
          and n.is_primary
      )
    from deleted_instance d
    where i.storage_namespace = ${staged.storage_namespace} and i.study_key = ${stagedKey}
      and d.separation_uuid = ${uuid} and d.moved_version = i.version
  `.execute(tx)
  await forgetStored(tx, staged)
}

/** Removes a stored study that no record shows, with whatever images it still lists. */
async function forgetStored(tx: Tx, stored: LockedStoredStudy): Promise<void> {
  const where = sql`where storage_namespace = ${stored.storage_namespace} and study_key = ${stored.key}::bigint`
  await sql`delete from instance ${where}`.execute(tx)
  await sql`delete from same_content ${where}`.execute(tx)
  await sql`delete from series ${where}`.execute(tx)
  await sql`
    delete from stored_study
    where storage_namespace = ${stored.storage_namespace} and key = ${stored.key}::bigint
  `.execute(tx)
}

/**
 * The exam that all images of a record went to by a merge, whoever shared them: empty where that is of another place or
 * no longer there.
 */
export async function findMergeTarget(
  db: Db,
  { phi_namespace, uuid, study_uid }: { phi_namespace: string; uuid: string; study_uid: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ merged_into: string | null }>`
    select case when p.phi_namespace = ${phi_namespace} then d.uuid end as merged_into
    from ${sourcesOf({ phi_namespace, uuid })} o
    join separation p on p.phi_namespace = o.storage_namespace and p.study_uid = ${study_uid}
      and p.state = 'made' and p.kind = 'merge' and not p.is_part
    left join study d on d.uuid = p.to_study_uuid and d.deleted_at is null
    order by p.created desc, p.uuid
    limit 1
  `.execute(db)
  return rows[0] && (rows[0].merged_into ?? '')
}

/** Series of a merge: as they were called before, and as they are called where their images are now. */
export async function listMergedSeries(
  tx: Tx,
  uuid: string,
  to: LockedStoredStudy,
): Promise<{ old: string; new: string }[]> {
  const { rows } = await sql<{ old: string; new: string }>`
    select distinct d.series_uid as old, i.series_uid as new
    from deleted_instance d
    join instance i on i.storage_namespace = ${to.storage_namespace} and i.study_key = ${to.key}::bigint
      and i.version = d.moved_version
    where d.separation_uuid = ${uuid}
    order by d.series_uid, i.series_uid
  `.execute(tx)
  return rows
}

/** Takes the images of a merge out of the study that they went to. Their originals stand aside still. */
export async function takeMergedOut(tx: Tx, uuid: string, to: LockedStoredStudy): Promise<void> {
  await sql`
    delete from instance i
    using deleted_instance d
    where d.separation_uuid = ${uuid} and i.storage_namespace = ${to.storage_namespace}
      and i.study_key = ${to.key}::bigint and i.version = d.moved_version
  `.execute(tx)
}

/** The arrival of images by a merge is no arrival: whoever waits for the study to be complete is told of none. */
export async function noteSynced(tx: Tx, to: LockedStoredStudy): Promise<void> {
  await sql`
    update study s
    set synced_version = t.content_version, thin = false
    from stored_study t
    where t.storage_namespace = ${to.storage_namespace} and t.key = ${to.key}::bigint
      and s.phi_namespace = t.storage_namespace and ${drawsOnStored}
  `.execute(tx)
}

interface SinceMerged {
  edited: boolean
  shared: boolean
  linked: boolean
  pushed: boolean
  nominated: boolean
  /** Late images are on their way to the exam: put back now, they would be stored there all the same. */
  'images-follow': boolean
  'images-went': boolean
  'series-went': boolean
  deleted: boolean
}

/** Changes of both records since the merge, by the reason for which each prevents Undo. */
export async function findSinceMerged(db: Db, one: Pick<SeparationRow, 'uuid'>): Promise<SinceMerged | undefined> {
  const { rows } = await sql<SinceMerged>`
    select coalesce(s.edits is distinct from (
        select b.one -> 'edits'
        from jsonb_array_elements(p.before) as b(one)
        where b.one ->> 'uuid' = p.to_study_uuid::text
      ), false) as edited,
      exists (
        select from share h
        where h.study_uuid = p.to_study_uuid and h.state in ('scheduled', 'delivered') and h.created > p.updated
      ) as shared,
      exists (
        select
        from link_study ls
        join link l on l.uuid = ls.link_uuid
        where ls.study_uuid = p.to_study_uuid and l.ended_at is null and l.expires_at > now() and l.created > p.updated
      ) as linked,
      exists (
        select
        from push u
        where u.study_uuid = p.to_study_uuid and u.sent && array(
          select d.moved_version from deleted_instance d where d.separation_uuid = p.uuid and d.moved_version is not null
        )
      ) as pushed,
      exists (
        select from nomination n
        where n.study_uuid = p.to_study_uuid and n.state <> 'cancelled' and n.submitted_at > p.updated
      ) as nominated,
      ${stillFollow} as "images-follow",
      exists (
        select
        from deleted_instance d
        where d.separation_uuid = p.uuid and d.moved_version is not null and not exists (
          select
          from stored_study t
          join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
          where t.storage_namespace = p.phi_namespace and t.study_uid = p.to_study_uid
            and t.generation = p.to_generation and i.version = d.moved_version
        )
      ) as "images-went",
      ${seriesWent} as "series-went",
      s.uuid is null or o.uuid is null as deleted
    from separation p
    left join study s on s.uuid = p.to_study_uuid and s.deleted_at is null
    left join study o on o.uuid = p.study_uuid and o.deleted_at is null
    where p.uuid = ${one.uuid} and p.state = 'made' and p.kind = 'merge'
  `.execute(db)
  return rows[0]
}
