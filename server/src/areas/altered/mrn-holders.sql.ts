import { foldId } from '@hilum/dicom/fold-id'
import { sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'

/** A record that holds an MRN, and what decides whether a caller may know of it. */
export interface HolderRow extends ComparedPatient {
  phi_namespace: string
  uuid: string
  study_uid: string
  must_approve: boolean
  is_announced: boolean
}

/** Most records, or patients of orders, under an MRN that are compared with somebody. Lists have one more where there are more. */
export const mostCompared = 5000

/**
 * Records of an account under any of these MRNs, however typed and whatever their issuer, newest first; without
 * deleted ones. Uses study_by_folded_mrn.
 */
export async function listMrnHolders(db: Db, accountUuid: string, patientids: readonly string[]): Promise<HolderRow[]> {
  const { rows } = await sql<HolderRow>`
    select s.phi_namespace, s.uuid, s.study_uid, s.patient_name, s.patientid, s.issuer, s.patient_birth_date,
      s.patient_sex, s.must_approve, s.arrival = 'announced' as is_announced
    from study s
    where folded_id(s.patientid) = any(array(select folded_id(one) from unnest(${[...patientids]}::text[]) as one))
      and folded_id(s.patientid) <> ''
      and s.account_uuid = ${accountUuid}
      and s.deleted_at is null
      and ${hasLiveSource('s')}
    order by s.study_date desc, s.created desc, s.uuid
    limit ${mostCompared + 1}
  `.execute(db)
  return rows
}

/** Patients of the orders of an account under an MRN, however typed and whatever their issuer; of cancelled orders too. */
export async function listOrderedUnderMrn(db: Db, accountUuid: string, patientid: string): Promise<ComparedPatient[]> {
  const { rows } = await sql<ComparedPatient>`
    select distinct o.patient_name, o.patientid, o.issuer, o.patient_birth_date, o.patient_sex
    from imaging_order o
    where o.account_uuid = ${accountUuid}
      and o.patientid <> ''
      and folded_id(o.patientid) = folded_id(${patientid})
      and folded_id(o.patientid) <> ''
    order by o.patient_name, o.patientid, o.issuer, o.patient_birth_date, o.patient_sex
    limit ${mostCompared + 1}
  `.execute(db)
  return rows
}

/** Records of a namespace with these Study Instance UIDs, without deleted ones and those that are announced alone. */
export async function listRecordsOf(db: Db, namespaceUuid: string, studyUids: readonly string[]): Promise<HolderRow[]> {
  const { rows } = await sql<HolderRow>`
    select s.phi_namespace, s.uuid, s.study_uid, s.patient_name, s.patientid, s.issuer, s.patient_birth_date,
      s.patient_sex, s.must_approve, s.arrival = 'announced' as is_announced
    from study s
    where s.phi_namespace = ${namespaceUuid}
      and s.study_uid = any(${[...studyUids]}::text[])
      and s.deleted_at is null
      and s.arrival <> 'announced'
      and ${hasLiveSource('s')}
    order by s.uuid
  `.execute(db)
  return rows
}

/** Lets only one transaction at a time decide who gets this MRN in this account. Ends with the transaction. */
export async function takeTurnForMrn(tx: Tx, accountUuid: string, patientid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${accountUuid} ${foldId(patientid)}`}, 0))`.execute(tx)
}

/** The issuer of an account's MRNs. */
export async function findOwnIssuer(db: Db, accountUuid: string): Promise<string> {
  const { rows } = await sql<{ issuer: string }>`select issuer from account where uuid = ${accountUuid}`.execute(db)
  return rows[0]?.issuer ?? ''
}
