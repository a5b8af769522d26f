import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { instanceColumns, type StoredInstance } from '../storage/instance.sql.ts'

/** The values that a person confirmed for the exam that images move to. */
export type Confirmed = Partial<
  Pick<
    Demographics,
    'patient_name' | 'patientid' | 'patient_birth_date' | 'patient_sex' | 'accession_number' | 'study_description'
  >
>

/** A record as it was before images left it, for undoing. */
export interface RecordBefore {
  phi_namespace: string
  uuid: string
  values: Demographics & { search: string; modality: string }
  edits: StudyEdit[]
  /** The version that the separation gave the record. */
  row_version: number
}

/** Facts of the exam that a record shows, without those of the patient. */
export type ExamFacts = Pick<
  Demographics,
  'accession_number' | 'study_description' | 'study_date' | 'study_time' | 'referring_physician'
> & { modality: string }

/** Exam of a record by the first image, and as shown since that one left with a merge; without anything of the patient. */
export interface ExamBefore {
  phi_namespace: string
  uuid: string
  /** Values shown before, as the image says that left. */
  values: Partial<ExamFacts>
  /** Values shown since, as an image says that stayed. */
  taken: Partial<ExamFacts>
}

/** Images on their way from one study to another, or moved. */
export interface SeparationRow {
  uuid: string
  kind: 'split' | 'merge'
  /** Of a merge that leaves other images where they are. */
  is_part: boolean
  account_uuid: string
  phi_namespace: string
  study_uuid: string
  study_uid: string
  study_generation: number
  study_key: number
  to_study_uuid: string | null
  to_study_uid: string
  to_generation: number
  to_up_to_seq: number
  /** Patient and exam that the images of a merge are given; empty of a split. */
  written: Partial<Demographics>
  state: 'making' | 'made' | 'failed' | 'undone'
  confirmed: Confirmed
  moved_identities: ArrivingIdentity[]
  kept_identities: ArrivingIdentity[]
  kept_demographics: Demographics & { modality: string }
  series_uids: string[]
  up_to_seq: number
  before: (RecordBefore | ExamBefore)[]
  to_row_version: number | null
  images: number
  reason: string
  user_uuid: string
  created: string
  /** Name of the person, else the login. */
  user_name: string
}

const columns = sql`
  p.uuid, p.kind, p.is_part, p.to_generation, p.to_up_to_seq, p.written, p.account_uuid, p.phi_namespace, p.study_uuid, p.study_uid, p.study_generation, p.study_key,
  p.to_study_uuid, p.to_study_uid, p.state, p.confirmed, p.moved_identities, p.kept_identities,
  p.kept_demographics, p.series_uids, p.up_to_seq, p.before, p.to_row_version, p.images, p.reason, p.user_uuid,
  to_char(p.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as created,
  (
    select coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) from app_user u where u.uuid = p.user_uuid
  ) as user_name`

type NewSeparation = Omit<SeparationRow, 'state' | 'before' | 'to_row_version' | 'images' | 'created' | 'user_name'> & {
  seqs: readonly number[]
}

/** False where another separation of the record is being made. */
export async function insertSeparation(tx: Tx, row: NewSeparation): Promise<boolean> {
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
  const { rows } = await sql`
    insert into separation (uuid, kind, is_part, to_generation, to_up_to_seq, written, account_uuid, phi_namespace, study_uuid, study_uid, study_generation, study_key,
      to_study_uuid, to_study_uid, confirmed, moved_identities, kept_identities, kept_demographics,
      series_uids, up_to_seq, images, reason, user_uuid)
    values (${row.uuid}, ${row.kind}, ${row.is_part}, ${row.to_generation}, ${row.to_up_to_seq}, ${json(row.written)}, ${row.account_uuid}, ${row.phi_namespace}, ${row.study_uuid}, ${row.study_uid},
      ${row.study_generation}, ${row.study_key}, ${row.to_study_uuid}, ${row.to_study_uid},
      ${json(row.confirmed)}, ${json(row.moved_identities)}, ${json(row.kept_identities)},
      ${json(row.kept_demographics)}, ${row.series_uids}::text[], ${row.up_to_seq}, ${row.seqs.length}, ${row.reason},
      ${row.user_uuid})
    on conflict (study_uuid) where state = 'making' do nothing
    returning uuid
  `.execute(tx)
  if (rows.length === 0) return false
  await pinImages(tx, row.uuid, row.seqs)
  return true
}

/** Enters images that are to move. */
async function pinImages(tx: Tx, uuid: string, seqs: readonly number[]): Promise<void> {
  await sql`
    insert into separated_image (separation_uuid, seq)
    select ${uuid}, seq
    from unnest(${seqs as number[]}::bigint[]) as seq
    on conflict do nothing
  `.execute(tx)
}

/** Notes what was found of images that came since a separation began. */
export async function extendSeparation(
  tx: Tx,
  uuid: string,
  found: { seqs: readonly number[]; upToSeq: number; moved: ArrivingIdentity[]; staying: ArrivingIdentity[] },
): Promise<void> {
  await pinImages(tx, uuid, found.seqs)
  await sql`
    update separation
    set up_to_seq = ${found.upToSeq}, moved_identities = ${JSON.stringify(found.moved)}::jsonb,
      kept_identities = ${JSON.stringify(found.staying)}::jsonb, images = images + ${found.seqs.length}, updated = now()
    where uuid = ${uuid} and state = 'making'
  `.execute(tx)
}

export async function findSeparation(db: Db, uuid: string): Promise<SeparationRow | undefined> {
  const { rows } = await sql<SeparationRow>`
    select ${columns}
    from separation p
    where p.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

/** Locks a separation. The caller holds the stored studies and records that the act reaches. */
export async function lockSeparation(tx: Tx, uuid: string): Promise<SeparationRow | undefined> {
  const { rows } = await sql<SeparationRow>`
    select ${columns}
    from separation p
    where p.uuid = ${uuid}
    for update of p
  `.execute(tx)
  return rows[0]
}

export async function setSeparation(
  tx: Tx,
  uuid: string,
  to: {
    state: SeparationRow['state']
    message?: string
    toStudyUuid?: string
    toRowVersion?: number
    before?: readonly (RecordBefore | ExamBefore)[]
    undoneBy?: string
  },
): Promise<void> {
  await sql`
    update separation
    set state = ${to.state}, message = ${to.message ?? ''},
      to_study_uuid = coalesce(${to.toStudyUuid ?? null}::uuid, to_study_uuid),
      to_row_version = coalesce(${to.toRowVersion ?? null}::integer, to_row_version),
      before = coalesce(${to.before ? JSON.stringify(to.before) : null}::jsonb, before),
      undone_by = ${to.undoneBy ?? null}::uuid, confirmed = '{}', updated = now()
    where uuid = ${uuid}
  `.execute(tx)
}

/** Images that a separation is to move and that are stored still, each with the version stored anew for it, if any. */
export async function listPinned(
  db: Db,
  one: Pick<SeparationRow, 'uuid' | 'phi_namespace' | 'study_key'>,
): Promise<(StoredInstance & { new_version: string | null })[]> {
  const { rows } = await sql<StoredInstance & { new_version: string | null }>`
    select ${instanceColumns}, m.new_version
    from instance i
    join separated_image m on m.separation_uuid = ${one.uuid} and m.seq = i.seq
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where i.storage_namespace = ${one.phi_namespace} and i.study_key = ${one.study_key}
    order by i.seq
  `.execute(db)
  return rows
}

/** Images of the stored study that came after a number. */
export async function listArrivedSince(
  db: Db,
  one: Pick<SeparationRow, 'phi_namespace' | 'study_key' | 'up_to_seq'>,
): Promise<StoredInstance[]> {
  const { rows } = await sql<StoredInstance>`
    select ${instanceColumns}
    from instance i
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where i.storage_namespace = ${one.phi_namespace} and i.study_key = ${one.study_key} and i.seq > ${one.up_to_seq}
    order by i.seq
  `.execute(db)
  return rows
}

/** Notes the images that were stored anew. */
export async function noteStored(
  db: Db,
  uuid: string,
  stored: readonly { seq: number; version: string }[],
): Promise<void> {
  await sql`
    update separated_image m
    set new_version = r.version
    from unnest(${stored.map((one) => one.seq)}::bigint[], ${stored.map((one) => one.version)}::uuid[])
      as r(seq, version)
    where m.separation_uuid = ${uuid} and m.seq = r.seq
  `.execute(db)
}

/** The originals of a separation that wait to be stored anew: they came after it was made. */
export async function listFollowing(db: Db, uuid: string): Promise<StoredInstance[]> {
  const { rows } = await sql<StoredInstance>`
    select ${instanceColumns}
    from deleted_instance i
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where i.separation_uuid = ${uuid} and i.moved_version is null
    order by i.seq
  `.execute(db)
  return rows
}

/**
 * Whether images that came later are on their way to the others, as a condition of the separation `p`. The work that
 * stores them may be storing one at this moment, and would go on after an Undo.
 */
export const stillFollow = sql<boolean>`(
  exists (select from deleted_instance d where d.separation_uuid = p.uuid and d.moved_version is null)
  and exists (
    select
    from work w
    where w.job = ${declaredJobs.followSeparation.name} and w.state in ('waiting', 'running')
      and w.lane = 'separation:' || p.uuid
  )
)`

/**
 * Whether a later merge took the rest of a series out of the study, and with it the UID of the series, as a condition of
 * the separation `p`: put back now, its images would make the series one of two studies (PS3.3 A.1.2.3).
 */
export const seriesWent = sql<boolean>`exists (
  select
  from (select distinct o.series_uid from deleted_instance o where o.separation_uuid = p.uuid) d
  cross join separation q
  where q.phi_namespace = p.phi_namespace and q.study_uid = p.study_uid and q.state = 'made' and q.kind = 'merge'
    and q.created > p.created
    and (
      d.series_uid = any(q.series_uids)
      or not q.is_part and exists (
        select from deleted_instance e where e.separation_uuid = q.uuid and e.series_uid = d.series_uid
      )
    )
)`

export async function noteFollowed(db: Db, uuid: string, seq: number, version: string): Promise<void> {
  await sql`
    update deleted_instance
    set moved_version = ${version}
    where separation_uuid = ${uuid} and seq = ${seq}
  `.execute(db)
}

type Listed = Pick<SeparationRow, 'uuid' | 'kind' | 'state' | 'study_uuid' | 'to_study_uuid' | 'images' | 'reason'> & {
  message: string
  done: number
  created: string
  created_by_name: string
}

/** Separations that a record was part of, the newest first. */
export async function listSeparations(db: Db, studyUuid: string): Promise<Listed[]> {
  const isOf = (column: RawBuilder<unknown>) => sql`
    select p.*
    from separation p
    where ${column} = ${studyUuid}`
  const { rows } = await sql<Listed>`
    select p.uuid, p.kind, p.state, p.study_uuid, p.to_study_uuid, p.images, p.reason, p.message,
      case when p.state = 'making'
        then (select count(*)::integer from separated_image m where m.separation_uuid = p.uuid and m.new_version is not null)
        else p.images
      end as done,
      to_char(p.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as created_by_name
    from (${isOf(sql`p.study_uuid`)} union ${isOf(sql`p.to_study_uuid`)}) p
    join app_user u on u.uuid = p.user_uuid
    order by p.created desc, p.uuid
  `.execute(db)
  return rows
}

type FormerImage = { series_uid: string; sop_uid: string; seq: number }

/** Former UIDs of all images of a separation that was made, with the number of the first image that has them. */
export async function listOriginals(db: Db, uuid: string): Promise<FormerImage[]> {
  const { rows } = await sql<FormerImage>`
    select d.series_uid, d.sop_uid, min(d.seq) as seq
    from deleted_instance d
    where d.separation_uuid = ${uuid}
    group by d.series_uid, d.sop_uid
    order by d.series_uid, d.sop_uid
  `.execute(db)
  return rows
}

/**
 * UIDs of a merge that images of the other exam have, and that its own cannot keep. Images that came to the other exam
 * after one of these say nothing, so that work that runs twice finds the same.
 */
export async function listTaken(
  db: Db,
  one: Pick<SeparationRow, 'uuid' | 'phi_namespace' | 'to_study_uid' | 'to_generation' | 'to_up_to_seq'>,
  images: readonly FormerImage[],
): Promise<{ series: Set<string>; images: Set<string> }> {
  const { rows } = await sql<{ uid: string; is_series: boolean }>`
    with there as (
      select i.series_uid, i.sop_uid, i.seq
      from stored_study t
      join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key
      where t.storage_namespace = ${one.phi_namespace} and t.study_uid = ${one.to_study_uid}
        and t.generation = ${one.to_generation}
        and not exists (
          select from deleted_instance d where d.separation_uuid = ${one.uuid} and d.moved_version = i.version
        )
    ), asked as (
      select *
      from unnest(
        ${images.map((image) => image.series_uid)}::text[],
        ${images.map((image) => image.sop_uid)}::text[],
        ${images.map((image) => image.seq)}::bigint[]
      ) as r (series_uid, sop_uid, seq)
    )
    select distinct there.sop_uid as uid, false as is_series
    from there
    join asked on asked.sop_uid = there.sop_uid and there.seq <= greatest(asked.seq, ${one.to_up_to_seq}::bigint)
    union
    select distinct there.series_uid, true
    from there
    join asked on asked.series_uid = there.series_uid and there.seq <= ${one.to_up_to_seq}::bigint
    order by uid
  `.execute(db)
  const uidsOf = (isSeries: boolean) => new Set(rows.filter((row) => row.is_series === isSeries).map((row) => row.uid))
  return { series: uidsOf(true), images: uidsOf(false) }
}
