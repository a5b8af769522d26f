import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { OrderPlace } from './order-message.sql.ts'
import { MessageRefused, type OrderSender, type SentPatient, type SentReport } from './sent-order.ts'
import { insertWaitingReport, measureWaiting } from './waiting-report.sql.ts'

/** Reports that wait in one place at most, and the size of their documents together. */
export const mostWaiting = { reports: 500, bytes: 256_000_000 } as const

/** Keeps a report with its documents until its exam comes, or takes it. @param reason why the exam here does not take it */
export async function holdReport(
  tx: Tx,
  place: OrderPlace,
  sender: OrderSender,
  patient: SentPatient,
  report: SentReport,
  reason: string,
): Promise<void> {
  const { number, status, study_uid = '', accession_number = '', order_numbers, documents } = report
  const row = {
    uuid: randomUUID(),
    account_uuid: place.accountUuid,
    namespace_uuid: place.namespaceUuid,
    sender: sender.sender,
    control_id: sender.controlId,
    digest: sender.digest,
    type: sender.type,
    address: sender.address,
    patientid: patient.patientid,
    issuer: patient.issuer,
    patient_name: patient.patient_name ?? '',
    patient_birth_date: patient.patient_birth_date ?? '',
    patient_sex: patient.patient_sex ?? '',
    number,
    status,
    study_uid,
    accession_number,
    order_numbers: [...order_numbers],
    bytes: documents.reduce((sum, one) => sum + one.bytes.length, 0),
    reason,
  }
  await insertWaitingReport(tx, row, documents)
}

/** Refuses the message where its reports do not fit beside those that wait already. @throws MessageRefused */
export async function demandRoom(tx: Tx, { namespaceUuid }: OrderPlace): Promise<void> {
  const { count, bytes } = await measureWaiting(tx, namespaceUuid)
  if (count <= mostWaiting.reports && bytes <= mostWaiting.bytes) return
  throw new MessageRefused('too-many-reports', 'Too many reports wait for exams that have not come')
}
