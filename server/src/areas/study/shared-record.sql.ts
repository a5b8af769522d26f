import { type RawBuilder, sql } from 'kysely'
import { isLive, storedOfRecord } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Tx } from '../../db/database.ts'
import { namesSeveral } from '../altered/outgoing-record.sql.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import { wasRetracted } from '../storage/retracted.sql.ts'

export interface LockedRecord extends ArrivingIdentity {
  phi_namespace: string
  uuid: string
  study_uid: string
  deleted: boolean
  arrival: 'announced' | 'receiving' | 'complete' | 'incomplete'
  thin: boolean
  must_approve: boolean
  is_frozen: boolean
  mixed_patients: boolean
  /** The images name several patients of whom nobody said that they are one. */
  names_several: boolean
}

/**
 * Locks a record to share and, in one order with it, the record that a namespace has of the same study.
 */
export async function lockToShare(
  tx: Tx,
  key: { phi_namespace: string; uuid: string; study_uid: string },
  toNamespace: string,
): Promise<{ source: LockedRecord | undefined; target: LockedRecord | undefined }> {
  const { rows } = await sql<LockedRecord>`
    select s.phi_namespace, s.uuid, s.study_uid, s.deleted_at is not null as deleted, s.arrival, s.thin, s.must_approve,
      s.is_frozen, s.mixed_patients, ${namesSeveral} as names_several, s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex
    from study s
    where s.study_uid = ${key.study_uid}
      and ((s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid})
        or (s.phi_namespace = ${toNamespace} and s.deleted_at is null))
    order by s.phi_namespace, s.uuid
    for update of s
  `.execute(tx)
  const source = rows.find((row) => row.uuid === key.uuid)
  return { source, target: rows.find((row) => row.phi_namespace === toNamespace && row !== source) }
}

/**
 * Makes the recipient's record of a study, with the demographics and corrections that are in force at the sender's.
 * Says whether it waits for approval; undefined when the namespace has a record of it by now.
 */
export async function insertSharedRecord(
  tx: Tx,
  from: { phi_namespace: string; uuid: string },
  to: {
    uuid: string
    namespaceUuid: string
    accountUuid: string
    mustApprove: boolean
    message: string
    byUser: string
    /** Values by uuid. */
    customfields: Readonly<Record<string, string>>
  },
): Promise<{ waits: boolean } | undefined> {
  const { rows } = await sql<{ must_approve: boolean }>`
    insert into study (
      phi_namespace, uuid, study_uid, storage_namespace, account_uuid, patient_name, search, patientid, issuer,
      patient_birth_date, patient_birth_time, patient_sex, patient_age, accession_number, study_description, study_date,
      study_time, modality, modalities, referring_physician, demographics, edits, source, source_ae_title, arrival,
      expected_count, mixed_patients, must_approve, share_message, customfields, created_by, created, updated
    )
    select ${to.namespaceUuid}, ${to.uuid}, s.study_uid, ${firstSource}, ${to.accountUuid}, s.patient_name, s.search,
      s.patientid, s.issuer, s.patient_birth_date, s.patient_birth_time, s.patient_sex, s.patient_age,
      s.accession_number, s.study_description, s.study_date, s.study_time, s.modality, s.modalities,
      s.referring_physician, s.demographics, s.edits, 'share', s.source_ae_title, s.arrival,
      s.expected_count, s.mixed_patients, ${to.mustApprove} or ${wasRetracted(sql`${to.namespaceUuid}::uuid`, sql`s.study_uid`)}, ${to.message},
      ${JSON.stringify(to.customfields)}::jsonb, ${to.byUser}, now(), now()
    from study s
    where s.phi_namespace = ${from.phi_namespace} and s.uuid = ${from.uuid}
    on conflict (phi_namespace, study_uid) where deleted_at is null do nothing
    returning must_approve
  `.execute(tx)
  return rows[0] && { waits: rows[0].must_approve }
}

/** A namespace by which storage addresses may name record `s`: that of its first live source. */
const firstSource: RawBuilder<unknown> = sql`coalesce((
  select o.storage_namespace
  from ${sourcesOf('s')} o
  where ${isLive}
  order by o.added, o.storage_namespace
  limit 1
), s.phi_namespace)`

/** Gives a record the live sources of another by a share; each ends with the first of the shares that it came by. */
export async function addSharedSources(
  tx: Tx,
  from: { phi_namespace: string; uuid: string },
  to: { phi_namespace: string; uuid: string },
  shareUuid: string,
): Promise<void> {
  await sql`
    insert into study_source (phi_namespace, study_uuid, storage_namespace, generation, share_uuid, parent_share_uuid, ends_at)
    select ${to.phi_namespace}, ${to.uuid}, o.storage_namespace, o.generation, ${shareUuid}, o.share_uuid,
      least(o.ends_at, parent.expires_at, (select h.expires_at from share h where h.uuid = ${shareUuid}))
    from ${sourcesOf(from)} o
    left join share parent on parent.uuid = o.share_uuid
    where ${isLive}
    order by o.added, o.storage_namespace
    on conflict do nothing
  `.execute(tx)
}

/** Patient identities that the images of all sources of a record name. */
export async function listIdentities(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
): Promise<ArrivingIdentity[]> {
  const { rows } = await sql<{ identity: ArrivingIdentity }>`
    select i.identity
    from study s
    cross join lateral ${storedOfRecord} t
    cross join lateral jsonb_array_elements(t.identities) as i (identity)
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid}
    order by t.place
  `.execute(tx)
  return rows.map((row) => row.identity)
}

/** Brings a record up to the sources that it has now: its modalities, its address, whether images name several patients. */
export async function refreshRecord(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
  isMixed: boolean,
): Promise<void> {
  await sql`
    update study s
    set storage_namespace = case
        when exists (
          select
          from ${sourcesOf('s')} o
          where o.storage_namespace = s.storage_namespace and ${isLive}
        ) then s.storage_namespace
        else ${firstSource}
      end,
      modalities = coalesce((
        select array_agg(distinct m order by m)
        from ${storedOfRecord} t, unnest(t.modalities) as m
        where m <> ''
      ), s.modalities),
      mixed_patients = s.mixed_patients or ${isMixed},
      phi_version = s.phi_version + 1, row_version = s.row_version + 1, updated = now()
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid}
  `.execute(tx)
}

/** Notes on a record whether shares wait for approval beside what it shows. */
export async function noteWaitingShares(tx: Tx, key: { phi_namespace: string; uuid: string }): Promise<void> {
  await sql`
    update study s
    set has_waiting_shares = not s.has_waiting_shares, row_version = s.row_version + 1, updated = now()
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid}
      and s.has_waiting_shares <> exists (
        select
        from ${sourcesOf('s')} o
        join share h on h.uuid = o.share_uuid and h.state = 'delivered' and h.awaits_approval
      )
  `.execute(tx)
}

/** Notes on a record whether anybody has it by a share from here. */
export async function noteDirectShares(
  tx: Tx,
  studyUuids: readonly string[],
): Promise<{ phi_namespace: string; uuid: string }[]> {
  const { rows } = await sql<{ phi_namespace: string; uuid: string }>`
    update study s
    set has_direct_shares = not s.has_direct_shares, row_version = s.row_version + 1, updated = now()
    where s.uuid = any(${studyUuids as string[]})
      and s.has_direct_shares <> exists (
        select from share h where h.study_uuid = s.uuid and h.state = 'delivered'
      )
    returning s.phi_namespace, s.uuid
  `.execute(tx)
  return rows
}
