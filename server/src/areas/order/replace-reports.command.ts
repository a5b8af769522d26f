import { ApiError } from '@hilum/contract/errors'
import { areOtherAuthorities, type GivenNumber, type OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import type { Caller, Membership } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { followMerges } from './change-patient-of-orders.command.ts'
import { listGivenReports } from './given-report.sql.ts'
import { findOrderPlace, isInScope, visibleOrders } from './order.policy.ts'
import type { OrderPlace } from './order-message.sql.ts'
import type { OrderSender, SentPatient, SentReport } from './sent-order.ts'
import {
  deleteWaitingReport,
  type HeldReport,
  lockWaitingReport,
  lockWaitingUnder,
  type NumberedReport,
} from './waiting-report.sql.ts'

type Later = Pick<SentReport, 'number' | 'study_uid' | 'accession_number' | 'order_numbers'>

/**
 * Removes the reports of a sender that wait and that a later one replaces, on record: those under its number, of the same
 * patient, that name no other exam.
 * @param patient under the number in use
 * @param waited the later report where it waited itself: only those that came before it go
 * @returns how many there were
 */
export async function removeReplaced(
  tx: Tx,
  place: OrderPlace,
  { sender, controlId }: OrderSender,
  patient: SentPatient,
  later: Later,
  waited?: string,
): Promise<number> {
  const waiting = await lockWaitingUnder(tx, place.namespaceUuid, sender, later.number)
  const at = waiting.findIndex((one) => one.uuid === waited)
  let removed = 0
  for (const one of at < 0 ? waiting : waiting.slice(0, at)) {
    const theirs = await followMerges(tx, place, { patientid: one.patientid, issuer: one.issuer })
    if (!isSameNumber(theirs, patient, place.ownNames) || !namesSameExam(one, later)) continue
    await removeReport(tx, undefined, one, { replaced_by: controlId })
    removed += 1
  }
  return removed
}

/**
 * A report that waits in a place whose orders the caller may edit, locked.
 * @throws ApiError NOT_FOUND; NOT_PERMITTED where the caller may see it alone
 */
export async function openReportToEdit(tx: Tx, caller: Caller, account: Membership, uuid: string): Promise<HeldReport> {
  const scope = await visibleOrders(caller, account)
  const report = await lockWaitingReport(tx, uuid)
  if (!report) throw new ApiError('NOT_FOUND')
  const mayEdit = (await findOrderPlace(caller, account, report.namespace_uuid)) !== undefined
  if (!mayEdit) throw new ApiError(isInScope(scope, report) ? 'NOT_PERMITTED' : 'NOT_FOUND')
  return report
}

/** Exams that earlier versions of a report were given to by hand, by their uuids. @param patient under the number in use */
export async function listExamsGivenTo(
  tx: Tx,
  place: OrderPlace,
  { sender }: OrderSender,
  patient: SentPatient,
  later: Later,
): Promise<string[]> {
  const exams: string[] = []
  for (const one of await listGivenReports(tx, place.namespaceUuid, sender, later.number)) {
    const theirs = await followMerges(tx, place, { patientid: one.patientid, issuer: one.issuer })
    if (isSameNumber(theirs, patient, place.ownNames) && namesSameExam(one, later)) exams.push(one.study_uuid)
  }
  return exams
}

/** Removes a report that waits, on record. */
export async function removeReport(
  tx: Tx,
  caller: Caller | undefined,
  report: NumberedReport,
  more: Record<string, string> = {},
): Promise<void> {
  await deleteWaitingReport(tx, report.uuid)
  await writeAudit(tx, {
    accountUuid: report.account_uuid,
    caller,
    action: 'REPORT_REMOVE',
    type: 'Namespace',
    objectUuid: report.namespace_uuid,
    phiNamespace: report.namespace_uuid,
    detail: { report: report.number, calling_ae: report.sender, control_id: report.control_id, ...more },
  })
}

/** Whether two numbers of reports that one sender numbers alike are one patient's; an issuer that one does not name fits any. */
function isSameNumber(one: GivenNumber, other: GivenNumber, ownNames: OwnNames): boolean {
  const isUnnamed = one.issuer === '' || other.issuer === ''
  const isIssuerAlike = isUnnamed || !areOtherAuthorities(one.issuer, other.issuer, ownNames)
  return foldId(one.patientid) === foldId(other.patientid) && isIssuerAlike
}

/** Whether two reports under one number are about one exam: no name of it speaks against that. */
function namesSameExam(one: Later & Pick<NumberedReport, 'study_uid' | 'accession_number'>, later: Later): boolean {
  const { study_uid = '', accession_number = '', number } = later
  const pairs = [
    [one.study_uid, study_uid],
    [one.accession_number, accession_number],
  ].filter(([mine, theirs]) => mine !== '' && theirs !== '')
  if (pairs.length > 0) return pairs.every(([mine, theirs]) => mine === theirs)
  // a device may begin each day with the same numbers of reports: those of the orders decide
  const [mine, theirs] = [one.order_numbers, later.order_numbers].map((all) => all.filter((any) => any !== number))
  if (!mine?.length || !theirs?.length) return true
  return mine.some((any) => theirs.includes(any))
}
