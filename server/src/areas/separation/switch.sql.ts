import { type RawBuilder, sql } from 'kysely'
import { drawsOnStored, storedOfRecord } from '../../access/record-sources.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { StoredKey } from '../storage/ingest.sql.ts'
import type { ExamBefore, RecordBefore, SeparationRow } from './separation.sql.ts'

type Stored = { storage_namespace: string; key: number }

const columns = sql`
  seq, storage_namespace, study_key, series_uid, sop_uid, version, is_primary, account_uuid, sha256, generation,
  sop_class, transfer_syntax, instance_number, frames, rows, columns, pixel_offset, length, crc32, tail_crc32,
  preamble_blank, bare_start, accession_number, source, source_name, arrived, differs, is_settled`

/** Takes the images of a separation out of their stored study; their rows stay as originals. @returns how many there were */
export async function setOriginalsAside(
  tx: Tx,
  one: Pick<SeparationRow, 'uuid' | 'phi_namespace' | 'study_key' | 'user_uuid'>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with gone as (
      delete from instance i
      using separated_image m
      where m.separation_uuid = ${one.uuid} and m.seq = i.seq and m.new_version is not null
        and i.storage_namespace = ${one.phi_namespace} and i.study_key = ${one.study_key}
      returning i.*, m.new_version
    )
    insert into deleted_instance (${columns}, deleted_at, deleted_by, separation_uuid, moved_version)
    select ${columns}, now(), ${one.user_uuid}, ${one.uuid}, new_version
    from gone
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Puts the originals of a separation back, late ones too. An image that is shown meanwhile stays the one shown. */
export async function putOriginalsBack(tx: Tx, uuid: string, to: Stored): Promise<number> {
  const { numAffectedRows } = await sql`
    with back as (
      delete from deleted_instance d
      where d.separation_uuid = ${uuid}
      returning d.*
    )
    insert into instance (${columns})
    overriding system value
    select seq, storage_namespace, ${to.key}::bigint, series_uid, sop_uid, version, is_primary and not exists (
        select
        from instance n
        where n.storage_namespace = ${to.storage_namespace} and n.study_key = ${to.key}
          and n.series_uid = back.series_uid and n.sop_uid = back.sop_uid and n.is_primary
      ), account_uuid, sha256, generation, sop_class, transfer_syntax, instance_number, frames, rows, columns,
      pixel_offset, length, crc32, tail_crc32, preamble_blank, bare_start, accession_number, source, source_name, arrived,
      differs, is_settled
    from back
    order by seq
    on conflict (storage_namespace, study_key, series_uid, sop_uid, version) do nothing
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Whether an original of a separation came before every image of the stored study that it left. Before they are put back. */
export async function holdsFirst(tx: Tx, uuid: string, from: Stored): Promise<boolean> {
  const { rows } = await sql<{ is_first: boolean }>`
    select coalesce(
      (select min(d.seq) from deleted_instance d where d.separation_uuid = ${uuid}) > (
        select min(i.seq)
        from instance i
        where i.storage_namespace = ${from.storage_namespace} and i.study_key = ${from.key}
      ), false) is false as is_first
  `.execute(tx)
  return rows[0]?.is_first ?? false
}

/** Records among these that show an image by another stored study than a certain one, such as by what arrived for them. */
export async function listHoldingElsewhere(
  db: Db,
  uuids: readonly string[],
  from: Stored,
  sopUid: string,
): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    select s.uuid
    from study s
    where s.uuid = any(${uuids as string[]}::uuid[]) and exists (
      select
      from ${storedOfRecord} h
      join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
      where i.sop_uid = ${sopUid}
        and (h.storage_namespace, h.key) is distinct from (${from.storage_namespace}::uuid, ${from.key}::bigint)
    )
  `.execute(db)
  return new Set(rows.map(({ uuid }) => uuid))
}

/** Notes of merges on the exam that records showed and show since, of each part that left a study, put back meanwhile or not. */
export async function listExamsBefore(
  tx: Tx,
  { phi_namespace, study_uuid }: Pick<SeparationRow, 'phi_namespace' | 'study_uuid'>,
): Promise<ExamBefore[]> {
  const { rows } = await sql<{ one: ExamBefore }>`
    select b.one
    from separation p
    cross join jsonb_array_elements(p.before) as b(one)
    where p.study_uuid = ${study_uuid} and p.phi_namespace = ${phi_namespace} and p.is_part
      and p.state in ('made', 'undone') and b.one ? 'taken'
  `.execute(tx)
  return rows.map(({ one }) => one)
}

/** Series of a separation as they were called before. */
export async function listOriginalSeries(tx: Tx, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ series_uid: string }>`
    select distinct d.series_uid
    from deleted_instance d
    where d.separation_uuid = ${uuid}
    order by d.series_uid
  `.execute(tx)
  return rows.map((row) => row.series_uid)
}

/** Describes series as those are described that their images were moved to. @param names former and new UID of each */
export async function describeSeries(
  tx: Tx,
  to: Stored,
  from: Stored,
  names: readonly { old: string; new: string }[],
): Promise<void> {
  await sql`
    insert into series (storage_namespace, study_key, series_uid, modality, series_number, description, series_date,
      series_time, body_part, first_seq)
    select ${to.storage_namespace}, ${to.key}, r.old, e.modality, e.series_number, e.description, e.series_date,
      e.series_time, e.body_part, i.seq
    from unnest(${names.map((one) => one.old)}::text[], ${names.map((one) => one.new)}::text[]) as r(old, new)
    join series e on e.storage_namespace = ${from.storage_namespace} and e.study_key = ${from.key}
      and e.series_uid = r.new
    cross join lateral (
      select min(i.seq) as seq
      from instance i
      where i.storage_namespace = ${to.storage_namespace} and i.study_key = ${to.key} and i.series_uid = r.old
    ) i
    where i.seq is not null
    on conflict (storage_namespace, study_key, series_uid) do nothing
  `.execute(tx)
}

/** Of each image shows one version: the one that came first, where the one shown has left. */
export async function showFirstVersions(tx: Tx, stored: Stored): Promise<void> {
  await sql`
    update instance i
    set is_primary = true
    from (
      select o.series_uid, o.sop_uid, min(o.seq) as seq
      from instance o
      where o.storage_namespace = ${stored.storage_namespace} and o.study_key = ${stored.key}
      group by o.series_uid, o.sop_uid
      having not bool_or(o.is_primary)
    ) first
    where i.storage_namespace = ${stored.storage_namespace} and i.study_key = ${stored.key}
      and i.series_uid = first.series_uid and i.sop_uid = first.sop_uid and i.seq = first.seq
      and not exists (
        select
        from instance o
        where o.storage_namespace = i.storage_namespace and o.study_key = i.study_key and o.sop_uid = i.sop_uid
          and o.is_primary
      )
  `.execute(tx)
}

/** Says whether what arrives for a stored study asks for images that moved. */
export async function noteSeparated(tx: Tx, stored: Stored): Promise<void> {
  await sql`
    update stored_study t
    set is_separated = exists (
      select
      from separation p
      where p.phi_namespace = t.storage_namespace and p.study_uid = t.study_uid and p.state = 'made'
    )
    where t.storage_namespace = ${stored.storage_namespace} and t.key = ${stored.key}
  `.execute(tx)
}

const demographicColumns = [
  'patient_name',
  'patientid',
  'issuer',
  'patient_birth_date',
  'patient_sex',
  'accession_number',
  'study_description',
  'study_date',
  'study_time',
  'referring_physician',
] as const satisfies readonly (keyof Demographics)[]

export type ShowingRecord = {
  phi_namespace: string
  uuid: string
  account_uuid: string
  values: RecordBefore['values']
  edits: StudyEdit[]
  row_version: number
}

/** Locks the records that show a stored study, with what they say of patient and exam. */
export async function lockShowing(tx: Tx, key: StoredKey): Promise<ShowingRecord[]> {
  const pairs = sql.join(
    [...demographicColumns, 'search', 'modality'].map((name) => sql`${sql.lit(name)}::text, ${sql.ref(`s.${name}`)}`),
  )
  const { rows } = await sql<ShowingRecord>`
    select s.phi_namespace, s.uuid, s.account_uuid, jsonb_build_object(${pairs}) as values, s.edits, s.row_version
    from stored_study t
    join study s on ${drawsOnStored}
    where t.storage_namespace = ${key.storage_namespace} and t.study_uid = ${key.study_uid}
      and t.generation = ${key.generation}
    order by s.phi_namespace, s.uuid
    for update of s
  `.execute(tx)
  return rows
}

/** Gives a record what another image says of patient and exam, with these edits. */
export async function setDemographics(
  tx: Tx,
  record: { phi_namespace: string; uuid: string },
  values: RecordBefore['values'],
  edits: readonly StudyEdit[],
): Promise<void> {
  const columns = [...demographicColumns, 'search', 'modality'] as const
  const set: RawBuilder<unknown>[] = columns.map((name) => sql`${sql.ref(name)} = ${values[name]}`)
  await sql`
    update study
    set ${sql.join(set)}, edits = ${JSON.stringify(edits)}::jsonb
    where phi_namespace = ${record.phi_namespace} and uuid = ${record.uuid}
  `.execute(tx)
}

/**
 * Raises the versions of records, so that nothing that was read of them before counts any more.
 * @param own the record whose images moved: as many as its sender announced it will not have
 */
export async function stepVersions(tx: Tx, uuids: readonly string[], own: string): Promise<void> {
  await sql`
    update study
    set phi_version = phi_version + 1, row_version = row_version + 1, updated = now(),
      expected_count = case when uuid <> ${own}::uuid then expected_count end
    where uuid = any(${uuids as string[]}::uuid[])
  `.execute(tx)
}

/** The way by which the images of a record came to its place; of images by a share or a copy, the upload of a person. */
export async function findWayIn(
  tx: Tx,
  record: { phi_namespace: string; uuid: string },
): Promise<{ source: 'upload' | 'harvest'; source_ae_title: string }> {
  const { rows } = await sql<{ source_ae_title: string }>`
    select s.source_ae_title
    from study s
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid} and s.source = 'harvest'
  `.execute(tx)
  const [harvested] = rows
  return harvested ? { source: 'harvest', ...harvested } : { source: 'upload', source_ae_title: '' }
}

/** Ends the arrival of a record that was made of moved images, with the edits that a person confirmed. @returns its version */
export async function settleMade(tx: Tx, record: { phi_namespace: string; uuid: string }): Promise<number> {
  const { rows } = await sql<{ row_version: number }>`
    update study s
    set arrival = 'complete', complete_at = null, must_approve = false,
      synced_version = (
        select t.content_version
        from stored_study t
        where t.storage_namespace = s.phi_namespace and t.study_uid = s.study_uid and t.ended_at is null
      ),
      updated = now()
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
    returning s.row_version
  `.execute(tx)
  return rows[0]?.row_version ?? 1
}
