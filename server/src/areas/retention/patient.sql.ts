import { sql } from 'kysely'
import { countsOfRecord, isOfFirstSource, storedOfRecord } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { StoredKey } from '../storage/ingest.sql.ts'
import { isHeld } from '../storage/hold.sql.ts'
import { lastDaySql } from '../storage/retention-days.sql.ts'
import { mustStay } from './retention-cause.sql.ts'

/** One patient of an organisation: a number and who issued it. */
export interface PatientKey {
  account_uuid: string
  issuer: string
  patientid: string
}

export interface FoundPatient extends PatientKey {
  account: string
  patient_name: string
  patient_birth_date: string
  exams: number
  orders: number
  /** Reports that wait for their exam. */
  reports: number
  is_held: boolean
}

/**
 * Patients who have a number, however it is typed, of every organisation here; name and birth date as written last. A
 * hold alone is found too, so that it can be ended.
 */
export async function findPatients(db: Db, patientid: string): Promise<FoundPatient[]> {
  const { rows } = await sql<FoundPatient>`
    with found as (
      select s.account_uuid, s.issuer, s.patientid, s.patient_name, s.patient_birth_date, s.updated, 'exam' as what
      from study s
      where folded_id(s.patientid) = folded_id(${patientid}) and folded_id(s.patientid) <> ''
      union all
      select o.account_uuid, o.issuer, o.patientid, o.patient_name, o.patient_birth_date, o.updated, 'order'
      from imaging_order o
      where folded_id(o.patientid) = folded_id(${patientid}) and folded_id(o.patientid) <> ''
      union all
      select w.account_uuid, w.issuer, w.patientid, w.patient_name, w.patient_birth_date, w.received, 'report'
      from waiting_report w
      where folded_id(w.patientid) = folded_id(${patientid}) and folded_id(w.patientid) <> ''
      union all
      select h.account_uuid, h.issuer, h.patientid, '', '', null, 'hold'
      from patient_hold h
      where folded_id(h.patientid) = folded_id(${patientid}) and folded_id(h.patientid) <> ''
    )
    select f.account_uuid, a.name as account, f.issuer,
      (array_agg(f.patientid order by f.updated desc nulls last, f.patientid))[1] as patientid,
      (array_agg(f.patient_name order by f.updated desc nulls last, f.patient_name))[1] as patient_name,
      (array_agg(f.patient_birth_date order by f.updated desc nulls last, f.patient_name))[1] as patient_birth_date,
      count(*) filter (where f.what = 'exam')::integer as exams,
      count(*) filter (where f.what = 'order')::integer as orders,
      count(*) filter (where f.what = 'report')::integer as reports,
      bool_or(f.what = 'hold') as is_held
    from found f
    join account a on a.uuid = f.account_uuid
    group by f.account_uuid, a.name, f.issuer
    order by a.name, f.account_uuid, f.issuer
  `.execute(db)
  return rows
}

/** An exam that had or has a number elsewhere than in its MRN. */
export interface NamedExam {
  account: string
  place: string
  study_uid: string
  study_date: string
  study_description: string
  /** The MRN of the exam now. */
  patientid: string
  patient_name: string
  /** Whether its images name the number. */
  by_images: boolean
  /** Whether it was the exam's MRN before a correction. */
  by_correction: boolean
}

/**
 * Exams whose images name a number, or whose MRN it was before a correction, and whose MRN is another one now. Reads all
 * stored studies and corrections: for the terminal, where statements may take long.
 */
export async function listExamsNaming(db: Db, patientid: string): Promise<NamedExam[]> {
  const { rows } = await sql<NamedExam>`
    with named as (
      select s.phi_namespace, s.uuid, true as by_images, false as by_correction
      from stored_study t
      join study s on s.study_uid = t.study_uid
      join lateral ${sourcesOf('s')} o on o.storage_namespace = t.storage_namespace and o.generation = t.generation
      where exists (
        select
        from jsonb_array_elements(t.identities) i
        where folded_id(coalesce(i ->> 'patientid', '')) = folded_id(${patientid})
      )
      union all
      select s.phi_namespace, s.uuid, false, true
      from audit a
      join study s on s.phi_namespace = a.phi_namespace and s.uuid = a.object_uuid
      where a.action = 'EDIT'
        and a.type = 'Study'
        and jsonb_typeof(a.detail -> 'patientid') = 'array'
        and folded_id(coalesce(a.detail -> 'patientid' ->> 0, '')) = folded_id(${patientid})
    )
    select a.name as account, n.name as place, s.study_uid, s.study_date, s.study_description, s.patientid, s.patient_name,
      bool_or(m.by_images) as by_images, bool_or(m.by_correction) as by_correction
    from named m
    join study s on s.phi_namespace = m.phi_namespace and s.uuid = m.uuid
    join namespace n on n.uuid = s.phi_namespace
    join account a on a.uuid = s.account_uuid
    where folded_id(${patientid}) <> ''
      and folded_id(s.patientid) <> folded_id(${patientid})
    group by a.name, n.name, s.phi_namespace, s.uuid
    order by a.name, s.study_date, s.phi_namespace, s.uuid
  `.execute(db)
  return rows
}

const isOf = (key: PatientKey) =>
  sql`(s.account_uuid = ${key.account_uuid} and s.issuer = ${key.issuer}
    and folded_id(s.patientid) = folded_id(${key.patientid}) and folded_id(s.patientid) <> '')`

/** Records of a patient, and the copies without names that were made of them, whose own number is a pseudonym. */
const recordsOf = (key: PatientKey) => sql`(
      select s.phi_namespace, s.uuid
      from study s
      where ${isOf(key)}
      union
      select r.phi_namespace, r.uuid
      from study s
      join nameless_copy c on c.phi_namespace = s.phi_namespace and c.study_uuid = s.uuid
      join study r on r.phi_namespace = c.phi_namespace and r.study_uid = c.copy_study_uid
      where ${isOf(key)}
    )`

/** Why a record may not be erased; empty when nothing keeps it. */
const barToErasing = (now: Date) => sql`case
  when ${isHeld} then 'hold'
  when s.is_frozen then 'frozen'
  when s.retraction_uuid is not null then 'retraction'
  when s.mixed_patients then 'mixed'
  when ${mustStay(now)} then 'retention'
  else ''
end`

export interface PatientRecord {
  account_uuid: string
  phi_namespace: string
  uuid: string
  study_uid: string
  place: string
  patientid: string
  issuer: string
  patient_name: string
  patient_birth_date: string
  study_date: string
  study_description: string
  accession_number: string
  is_deleted: boolean
  image_count: number
  bar: string
  /** A hold is on the exam itself. */
  is_held: boolean
  hold_reason: string
  /** The last day of a date of retention. */
  retain_until: string | null
  /** The record that this one is a copy without names of. */
  copy_of: string | null
  /** Records of other organisations that show the same images. */
  elsewhere: number
}

/** Exams of a patient in the patient's organisation, those in the bin and copies without names among them, oldest first. */
export async function listPatientRecords(db: Db, key: PatientKey, now: Date): Promise<PatientRecord[]> {
  const { rows } = await sql<PatientRecord>`
    select s.account_uuid, s.phi_namespace, s.uuid, s.study_uid, n.name as place, s.patientid, s.issuer, s.patient_name,
      s.patient_birth_date, s.study_date, s.study_description, s.accession_number,
      s.deleted_at is not null as is_deleted,
      (select c.image_count::integer from ${countsOfRecord} c) as image_count,
      ${barToErasing(now)} as bar, s.hold as is_held, s.hold_reason, ${lastDaySql(sql`s.retain_until`)} as retain_until,
      (
        select c.study_uuid
        from nameless_copy c
        where c.phi_namespace = s.phi_namespace and c.copy_study_uid = s.study_uid
        order by c.created desc, c.uuid
        limit 1
      ) as copy_of,
      (
        select count(distinct r.uuid)::integer
        from ${sourcesOf('s')} o
        join study r on r.study_uid = s.study_uid and r.account_uuid <> s.account_uuid
        join lateral ${sourcesOf('r')} p on p.storage_namespace = o.storage_namespace and p.generation = o.generation
      ) as elsewhere
    from study s
    join namespace n on n.uuid = s.phi_namespace
    where (s.phi_namespace, s.uuid) in ${recordsOf(key)}
    order by s.study_date, s.created, s.uuid
  `.execute(db)
  return rows
}

/** Locks an exam that nothing keeps and that still is this patient's; gives what keeps it else, or undefined when it is gone. */
export async function lockToErase(
  tx: Tx,
  key: PatientKey,
  record: Pick<PatientRecord, 'phi_namespace' | 'uuid'>,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ bar: string }>`
    select ${barToErasing(now)} as bar
    from study s
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
      and (s.phi_namespace, s.uuid) in ${recordsOf(key)}
    for update of s
  `.execute(tx)
  return rows[0]?.bar
}

/** The stored studies of a record that lie in its organisation, in whichever group. */
export async function listStoredHere(
  tx: Tx,
  record: Pick<PatientRecord, 'phi_namespace' | 'uuid'>,
): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    select h.storage_namespace, s.study_uid, h.generation
    from study s
    cross join lateral ${storedOfRecord} h
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid} and h.account_uuid = s.account_uuid
    order by h.storage_namespace, h.generation
  `.execute(tx)
  return rows
}

/** Removes images that were deleted one by one from a stored study that is gone. */
export async function forgetDeletedImages(tx: Tx, studyKey: number, stored: StoredKey): Promise<void> {
  await sql`
    delete from deleted_instance d
    where d.storage_namespace = ${stored.storage_namespace}
      and d.study_key = ${studyKey}::bigint
      and not exists (
        select
        from stored_study t
        where t.storage_namespace = d.storage_namespace and t.key = d.study_key
      )
  `.execute(tx)
}

/** Removes the originals of images that were moved to an exam, and what is known of the move. Before the exam itself. */
export async function eraseOriginals(tx: Tx, record: Pick<PatientRecord, 'uuid'>): Promise<void> {
  await sql`
    with moved as (
      delete from separation p
      where p.to_study_uuid = ${record.uuid} or p.study_uuid = ${record.uuid}
      returning p.uuid
    )
    delete from deleted_instance d
    using moved
    where d.separation_uuid = moved.uuid
  `.execute(tx)
}

/** Removes the key to copies without names that were made of an exam: pseudonym, recipient and both UIDs of each. */
export async function eraseCopyKeys(tx: Tx, record: Pick<PatientRecord, 'phi_namespace' | 'uuid'>): Promise<void> {
  await sql`
    delete from nameless_copy
    where phi_namespace = ${record.phi_namespace}
      and study_uuid = ${record.uuid}
  `.execute(tx)
}

/** Audit rows of an object that hold details. */
export async function listDetailedAudit(tx: Tx, objectUuid: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.id
    from audit a
    where a.object_uuid = ${objectUuid} and a.detail <> '{}' and a.detail_digest is null
    order by a.id
  `.execute(tx)
  return rows.map((row) => row.id)
}

/** Removes a patient's orders, and that this number was merged with another. @returns how many orders there were */
export async function eraseOrders(tx: Tx, key: PatientKey): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from imaging_order s
    where ${isOf(key)}
  `.execute(tx)
  await sql`
    delete from merged_patient m
    using namespace n
    where n.uuid = m.namespace_uuid and n.account_uuid = ${key.account_uuid}
      and (
        (m.prior_id = folded_id(${key.patientid}) and m.prior_issuer = folded_id(${key.issuer}))
        or (folded_id(m.patientid) = folded_id(${key.patientid}) and folded_id(m.issuer) = folded_id(${key.issuer}))
      )
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Empties the expected patient of requests that name this number, which the organisation itself issued. @returns how many there were */
export async function eraseExpected(tx: Tx, key: PatientKey): Promise<number> {
  const { numAffectedRows } = await sql`
    update link_request r
    set patient_name = '', patient_birth_date = '', patient_sex = '', patientid = '', study_date = '', modality = '',
      study_description = ''
    from namespace n
    join account a on a.uuid = n.account_uuid
    where n.uuid = r.namespace_uuid and a.uuid = ${key.account_uuid} and a.issuer = ${key.issuer}
      and folded_id(r.patientid) = folded_id(${key.patientid}) and folded_id(r.patientid) <> ''
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Keeps everything of a patient until the hold ends, under each way the number is written. */
export async function addPatientHold(
  tx: Tx,
  key: PatientKey,
  reason: string,
  byUser: string | undefined,
): Promise<void> {
  await sql`
    insert into patient_hold (account_uuid, issuer, patientid, reason, by_user)
    select distinct ${key.account_uuid}::uuid, ${key.issuer}::text, w.patientid, ${reason}::text, ${byUser ?? null}::uuid
    from (
      select ${key.patientid}::text as patientid
      union
      select s.patientid
      from study s
      where ${isOf(key)}
    ) w
    on conflict (account_uuid, issuer, patientid) do update
    set reason = excluded.reason, by_user = excluded.by_user, at = now()
  `.execute(tx)
}

export async function isPatientHeld(db: Db, key: PatientKey): Promise<boolean> {
  const { rows } = await sql`
    select s.at
    from patient_hold s
    where ${isOf(key)}
    limit 1
  `.execute(db)
  return rows.length > 0
}

/** @returns whether there was one */
export async function endPatientHold(tx: Tx, key: PatientKey): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from patient_hold s
    where ${isOf(key)}
  `.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

interface PatientObject {
  /** Path inside the export's folder of the exam. */
  path: string
  object_key: string
  byte_offset: number
  length: number
}

/**
 * Images and attachments of a record, as they are stored. Versions of an image that are not shown, by this source or
 * another one, have their version in the name; of the same bytes in two sources there is one file.
 */
export async function listPatientObjects(
  db: Db,
  record: Pick<PatientRecord, 'phi_namespace' | 'uuid'>,
): Promise<PatientObject[]> {
  const { rows } = await sql<PatientObject>`
    select 'images/' || i.sop_uid || case when i.is_shown then '' else '-' || i.version end || '.dcm' as path,
      b.object_key, b.byte_offset, b.length
    from (
      select distinct on (i.sop_uid, i.series_uid, i.version) i.*, i.is_primary and ${isOfFirstSource} as is_shown
      from study s
      cross join lateral ${storedOfRecord} h
      join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
      where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
      order by i.sop_uid, i.series_uid, i.version, h.place
    ) i
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    union all
    select 'attachments/' || a.id || '-' || a.version || '.bin', b.object_key, b.byte_offset, b.length
    from attachment a
    join blob b on b.account_uuid = a.account_uuid and b.sha256 = a.sha256 and b.generation = a.generation
    where a.phi_namespace = ${record.phi_namespace} and a.study_uuid = ${record.uuid}
    order by 1, 2
  `.execute(db)
  return rows
}

/** The history of an exam, as one JSON text for each row, oldest first. */
export async function listRecordHistory(db: Db, objectUuid: string): Promise<{ row: Record<string, unknown> }[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select jsonb_build_object('at', a.at, 'who', a.actor_name, 'act', a.action, 'detail', a.detail) as row
    from audit a
    where a.object_uuid = ${objectUuid}
    order by a.id
  `.execute(db)
  return rows
}
