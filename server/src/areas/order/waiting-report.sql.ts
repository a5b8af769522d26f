import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { withoutTotal } from '../list-page.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { OrderScope } from './order.sql.ts'
import type { SentDocument, SentReport } from './sent-order.ts'

/** A report that waits for its exam, its documents aside. */
export interface HeldReport {
  uuid: string
  account_uuid: string
  namespace_uuid: string
  sender: string
  control_id: string
  digest: Buffer
  type: string
  address: string
  patientid: string
  issuer: string
  patient_name: string
  patient_birth_date: string
  patient_sex: string
  number: string
  status: SentReport['status']
  /** How the report names its exam; empty where it does not. */
  study_uid: string
  accession_number: string
  order_numbers: string[]
  /** Of all documents. */
  bytes: number
  /** Why an exam that came did not take it; empty before one came. */
  reason: string
}

/** Number, patient and exam of a report. */
export type NumberedReport = Pick<
  HeldReport,
  | 'uuid'
  | 'account_uuid'
  | 'namespace_uuid'
  | 'sender'
  | 'control_id'
  | 'number'
  | 'patientid'
  | 'issuer'
  | 'study_uid'
  | 'accession_number'
  | 'order_numbers'
>

/** Enters a report; a reason says why its exam does not take it yet. */
export async function insertWaitingReport(db: Db, one: HeldReport, documents: readonly SentDocument[]): Promise<void> {
  await sql`
    insert into waiting_report (uuid, account_uuid, namespace_uuid, sender, control_id, digest, type, address, patientid,
      issuer, patient_name, patient_birth_date, patient_sex, number, status, study_uid, accession_number, order_numbers,
      bytes, reason)
    values (${one.uuid}, ${one.account_uuid}, ${one.namespace_uuid}, ${one.sender}, ${one.control_id}, ${one.digest},
      ${one.type}, ${one.address}, ${one.patientid}, ${one.issuer}, ${one.patient_name}, ${one.patient_birth_date},
      ${one.patient_sex}, ${one.number}, ${one.status}, ${one.study_uid}, ${one.accession_number},
      ${one.order_numbers}::text[], ${one.bytes}, ${one.reason})
  `.execute(db)
  for (const [position, { ending, bytes }] of documents.entries()) {
    await sql`
      insert into waiting_document (report_uuid, position, ending, bytes)
      values (${one.uuid}, ${position}, ${ending}, ${Buffer.from(bytes)})
    `.execute(db)
  }
}

/** How many reports wait in a place, and the size of their documents. */
export async function measureWaiting(db: Db, namespaceUuid: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*) as count, coalesce(sum(w.bytes), 0) as bytes
    from waiting_report w
    where w.namespace_uuid = ${namespaceUuid}
  `.execute(db)
  return rows[0] ?? { count: 0, bytes: 0 }
}

/** The reports of a sender that wait under one number, oldest first, locked. */
export async function lockWaitingUnder(
  db: Db,
  namespaceUuid: string,
  sender: string,
  number: string,
): Promise<NumberedReport[]> {
  const { rows } = await sql<NumberedReport>`
    select w.uuid, w.account_uuid, w.namespace_uuid, w.sender, w.control_id, w.number, w.patientid, w.issuer, w.study_uid,
      w.accession_number, w.order_numbers
    from waiting_report w
    where w.namespace_uuid = ${namespaceUuid} and w.sender = ${sender} and w.number = ${number}
    order by w.received, w.uuid
    for update
  `.execute(db)
  return rows
}

/** Removes one report with its documents. */
export async function deleteWaitingReport(db: Db, uuid: string): Promise<void> {
  await sql`delete from waiting_report where uuid = ${uuid}`.execute(db)
}

/**
 * Reports whose exam may have come, those tried longest ago first: one of their names is a study's, or an order's whose
 * accession number is a study's.
 */
export async function listComeReports(
  db: Db,
  most: number,
): Promise<Pick<HeldReport, 'uuid' | 'account_uuid' | 'namespace_uuid'>[]> {
  const { rows } = await sql<Pick<HeldReport, 'uuid' | 'account_uuid' | 'namespace_uuid'>>`
    select w.uuid, w.account_uuid, w.namespace_uuid
    from waiting_report w
    where exists (
        select
        from study s
        where s.phi_namespace = w.namespace_uuid and s.deleted_at is null and s.arrival <> 'announced'
          and s.study_uid = w.study_uid
      )
      or exists (
        select
        from study s
        where s.phi_namespace = w.namespace_uuid and s.deleted_at is null and s.arrival <> 'announced'
          and s.accession_number <> ''
          and s.accession_number = any(w.order_numbers || w.accession_number || array(
            select o.accession_number
            from imaging_order o
            where o.namespace_uuid = w.namespace_uuid and o.order_number = any(w.order_numbers) and o.order_number <> ''
          ))
      )
    order by w.tried nulls first, w.received, w.uuid
    limit ${most}
  `.execute(db)
  return rows
}

/** A report that waits, locked until the end of the transaction. */
export async function lockWaitingReport(db: Db, uuid: string): Promise<HeldReport | undefined> {
  const { rows } = await sql<HeldReport>`
    select w.uuid, w.account_uuid, w.namespace_uuid, w.sender, w.control_id, w.digest, w.type, w.address, w.patientid,
      w.issuer, w.patient_name, w.patient_birth_date, w.patient_sex, w.number, w.status, w.study_uid, w.accession_number,
      w.order_numbers, w.bytes, w.reason
    from waiting_report w
    where w.uuid = ${uuid}
    for update
  `.execute(db)
  return rows[0]
}

export async function listWaitingDocuments(db: Db, reportUuid: string): Promise<SentDocument[]> {
  const { rows } = await sql<Pick<SentDocument, 'ending'> & { bytes: Buffer }>`
    select d.ending, d.bytes
    from waiting_document d
    where d.report_uuid = ${reportUuid}
    order by d.position
  `.execute(db)
  return rows
}

/** Documents of a report for a reader: texts with their bytes, of PDFs the size alone. */
export async function listReadableDocuments(
  db: Db,
  reportUuid: string,
): Promise<{ ending: SentDocument['ending']; size: number; text: Buffer | null }[]> {
  const { rows } = await sql<{ ending: SentDocument['ending']; size: number; text: Buffer | null }>`
    select d.ending, octet_length(d.bytes) as size, case when d.ending = 'txt' then d.bytes end as text
    from waiting_document d
    where d.report_uuid = ${reportUuid}
    order by d.position
  `.execute(db)
  return rows
}

/** One PDF of a report, counted from 0 among its PDFs; undefined where there are fewer. */
export async function findWaitingPdf(db: Db, reportUuid: string, number: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select d.bytes
    from waiting_document d
    where d.report_uuid = ${reportUuid} and d.ending = 'pdf'
    order by d.position
    offset ${number}
    limit 1
  `.execute(db)
  return rows[0]?.bytes
}

/** Notes why an exam that came did not take a report, or that none is there after all (an empty reason). */
export async function noteTried(db: Db, uuid: string, reason: string): Promise<void> {
  await sql`
    update waiting_report
    set reason = ${reason}, tried = now()
    where uuid = ${uuid}
  `.execute(db)
}

/** A report that waits, as the page of orders lists it. */
interface ListedReport {
  uuid: string
  namespace_id: string
  received: string
  sender: string
  patient_name: string
  patientid: string
  patient_birth_date: string
  number: string
  accession_number: string
  status: SentReport['status']
  documents: number
  reason: string
}

/** Reports that wait in places whose orders a caller sees. */
export async function listWaitingReports(
  db: Db,
  scope: OrderScope,
  { where, orderBy, limit }: ListSql,
): Promise<(ListedReport & { study_uid: string })[]> {
  const { rows } = await sql<ListedReport & { study_uid: string }>`
    select w.uuid, w.namespace_uuid as namespace_id,
      to_char(w.received at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as received, w.sender, w.patient_name,
      w.patientid, w.patient_birth_date, w.number, w.accession_number, w.status, w.reason,
      w.study_uid, (select count(*) from waiting_document d where d.report_uuid = w.uuid) as documents, ${totalColumn}
    from waiting_report w
    where w.account_uuid = ${scope.accountUuid} and w.namespace_uuid = any(${scope.namespaces as string[]}::uuid[])
      and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** One waiting report of those that a caller sees. */
export async function findWaitingReport(
  db: Db,
  scope: OrderScope,
  uuid: string,
): Promise<(ListedReport & { study_uid: string }) | undefined> {
  const only = { where: sql`w.uuid = ${uuid}`, orderBy: sql`w.uuid`, limit: sql`1` }
  const [report] = await listWaitingReports(db, scope, only)
  return report && withoutTotal(report)
}
