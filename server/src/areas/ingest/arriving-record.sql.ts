import { sql } from 'kysely'
import { saidOfSender } from './late-arrival.sql.ts'
import { wasRetracted } from '../storage/retracted.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Demographics } from '../storage/image-facts.ts'
import type { ArrivingIdentity, StoredKey } from '../storage/ingest.sql.ts'
import type { ReachedRecord } from './reached-records.sql.ts'

export type NewRecord = StoredKey &
  Demographics & {
    uuid: string
    account_uuid: string
    search: string
    modality: string
    source: 'upload' | 'harvest'
    source_ae_title: string
    created_by: string | null
    by_key: boolean
    quiet_seconds: number
    mixed_patients: boolean
    modalities: string[]
  }

/**
 * Makes records for studies that nobody announced, as receiving, and puts on record who sent them: a user, a link, or a
 * node by its AE title. Custom fields are those that a sender by a share code filled in. A record made meanwhile by another stays.
 * @returns how many were made
 */
export async function insertRecords(tx: Tx, records: readonly NewRecord[], at: Date): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    /* prepared */
    with made as (
      insert into study (
        phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, patientid, issuer,
        patient_birth_date, patient_sex, accession_number, study_description, study_date, study_time, modality,
        referring_physician, source, source_ae_title, arrival, complete_at, mixed_patients, modalities, must_approve,
        customfields, created_by, created, updated
      )
      select
        r.storage_namespace, r.uuid, r.study_uid, r.storage_namespace, r.account_uuid, r.patient_name, r.search,
        r.patientid, r.issuer, r.patient_birth_date, r.patient_sex, r.accession_number, r.study_description,
        r.study_date, r.study_time, r.modality, r.referring_physician, r.source, r.source_ae_title, 'receiving',
        ${at}::timestamptz + make_interval(secs => r.quiet_seconds), r.mixed_patients,
        array(select distinct m from unnest(r.modalities) as m where m <> '' order by m),
        coalesce(
          case r.source when 'harvest' then coalesce(g.must_approve_harvest, o.must_approve_harvest)
            else coalesce(g.must_approve_upload, o.must_approve_upload) end, false)
          or exists (select from link_request q where q.link_uuid = r.created_by and q.must_approve)
          or ${wasRetracted(sql`r.storage_namespace`, sql`r.study_uid`)},
        coalesce((select u.customfields from link_upload u where u.link_uuid = r.created_by and u.study_uid = r.study_uid), '{}'),
        r.created_by, ${at}, ${at}
      from json_to_recordset(${JSON.stringify(records)}::json) as r(
        storage_namespace uuid, uuid uuid, study_uid text, account_uuid uuid, patient_name text, search text,
        patientid text, issuer text, patient_birth_date text, patient_sex text, accession_number text,
        study_description text, study_date text, study_time text, modality text, referring_physician text,
        source text, source_ae_title text, created_by uuid, quiet_seconds integer, mixed_patients boolean,
        modalities text[]
      )
      left join app_group g on g.namespace_uuid = r.storage_namespace
      left join account o on o.namespace_uuid = r.storage_namespace
      order by r.storage_namespace, r.study_uid
      on conflict (phi_namespace, study_uid) where deleted_at is null do nothing
      returning phi_namespace, uuid, study_uid, account_uuid, created_by, source, source_ae_title
    ), noted as (
      insert into audit (account_uuid, at, actor, actor_kind, actor_name, action, type, object_uuid, phi_namespace, detail)
      select m.account_uuid, ${at}, m.created_by,
        case when m.created_by is null then 'node' when l.uuid is not null then 'link' when k.by_key then 'key' else 'user' end,
        coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, case when l.uuid is not null then 'Link' end,
          m.source_ae_title),
        'CREATE', 'Study', m.uuid, m.phi_namespace, jsonb_build_object('source', m.source) || ${saidOfSender('q')}
      from made m
      left join app_user u on u.uuid = m.created_by
      left join link l on l.uuid = m.created_by
      left join link_request q on q.link_uuid = l.uuid
      left join json_to_recordset(${JSON.stringify(records)}::json) as k(uuid uuid, by_key boolean) on k.uuid = m.uuid
    ), sourced as (
      insert into study_source (phi_namespace, study_uuid, storage_namespace, generation)
      select m.phi_namespace, m.uuid, m.phi_namespace, g.generation
      from made m
      join unnest(
        ${records.map((one) => one.storage_namespace)}::uuid[],
        ${records.map((one) => one.study_uid)}::text[],
        ${records.map((one) => one.generation)}::integer[]
      ) as g (storage_namespace, study_uid, generation)
        on g.storage_namespace = m.phi_namespace and g.study_uid = m.study_uid
    ), told as (
      insert into event (namespace_uuid, kind, uuid)
      select phi_namespace, 'study', uuid
      from made
    )
    select count(*) as made
    from made
  `.execute(tx)
  return rows[0]?.made ?? 0
}

type FilledRecord = Demographics & { phi_namespace: string; uuid: string; search: string; modality: string }

/** Gives records that waited for images what their first image says; fields that a person edited already keep the edit. */
export async function fillRecords(
  tx: Tx,
  records: readonly (FilledRecord & { edited: string[]; edits: unknown })[],
): Promise<void> {
  await sql`
    /* prepared */
    update study s
    set patient_name = case when 'patient_name' = any(r.edited) then s.patient_name else r.patient_name end,
      search = case when 'patient_name' = any(r.edited) then s.search else r.search end,
      patientid = case when 'patientid' = any(r.edited) then s.patientid else r.patientid end,
      issuer = case when 'patientid' = any(r.edited) then s.issuer else r.issuer end,
      patient_birth_date = case when 'patient_birth_date' = any(r.edited) then s.patient_birth_date else r.patient_birth_date end,
      patient_sex = case when 'patient_sex' = any(r.edited) then s.patient_sex else r.patient_sex end,
      accession_number = case when 'accession_number' = any(r.edited) then s.accession_number else r.accession_number end,
      study_description = case when 'study_description' = any(r.edited) then s.study_description else r.study_description end,
      study_date = case when 'study_date' = any(r.edited) then s.study_date else r.study_date end,
      study_time = case when 'study_time' = any(r.edited) then s.study_time else r.study_time end,
      referring_physician = case when 'referring_physician' = any(r.edited) then s.referring_physician else r.referring_physician end,
      modality = r.modality,
      edits = r.edits,
      phi_version = s.phi_version + 1
    from json_to_recordset(${JSON.stringify(records)}::json) as r(
      phi_namespace uuid, uuid uuid, patient_name text, search text, patientid text, issuer text,
      patient_birth_date text, patient_sex text, accession_number text, study_description text, study_date text,
      study_time text, modality text, referring_physician text, edited text[], edits jsonb
    )
    where s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
  `.execute(tx)
}

/** The patients that records name, as they stand. */
export async function listPatientsOf(
  tx: Tx,
  records: readonly Pick<ReachedRecord, 'phi_namespace' | 'uuid'>[],
): Promise<(ArrivingIdentity & { uuid: string })[]> {
  const { rows } = await sql<ArrivingIdentity & { uuid: string }>`
    select s.uuid, s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex
    from unnest(${records.map((one) => one.phi_namespace)}::uuid[], ${records.map((one) => one.uuid)}::uuid[])
      as r(phi_namespace, uuid)
    join study s on s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
  `.execute(tx)
  return rows
}

/** A record that was shared or announced gets the namespace's own images as a source. */
export async function addOwnSources(
  tx: Tx,
  records: readonly Pick<ReachedRecord, 'phi_namespace' | 'uuid' | 'generation'>[],
): Promise<void> {
  await sql`
    /* prepared */
    insert into study_source (phi_namespace, study_uuid, storage_namespace, generation)
    select r.phi_namespace, r.uuid, r.phi_namespace, r.generation
    from json_to_recordset(${JSON.stringify(records)}::json) as r(phi_namespace uuid, uuid uuid, generation integer)
    on conflict do nothing
  `.execute(tx)
}
