import { areOtherAuthorities } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import type { Tx } from '../../db/database.ts'
import { outgoingAccessions } from '../altered/outgoing-accessions.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { findOtherOfAccession } from '../order/exams-of-order.sql.ts'
import { findNumberInUse, listEndedIn } from '../order/number-in-use.command.ts'
import { lockOrder, type StoredOrder } from '../order/order-write.sql.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { findMatchedOrder } from '../nomination/nomination.sql.ts'
import { isPatientOfOrder } from '../nomination/second-person.policy.ts'

/** Reasons why an exam does not leave as it is, by the orders of its organisation. */
export type OrderFault =
  | 'order_cancelled'
  | 'order_id'
  | 'issuer'
  | 'several_mrns'
  | 'mrn_merged'
  | 'accession_number'
  | 'order_accession'

/**
 * Compares an exam, as it leaves, with the order that it was matched with, and its accession numbers with all orders of its
 * organisation: many archives and reporting systems file an exam by that number alone. Its MRN is one that is in use.
 */
export async function findOrderFault(
  tx: Tx,
  place: { account_uuid: string },
  outgoing: ComparedPatient,
  accessions: readonly string[],
  order: StoredOrder | undefined,
): Promise<OrderFault | undefined> {
  if (order?.is_cancelled) return 'order_cancelled'
  // places are told of merges one by one: the order may be under a number that ended in the one of the exam
  const inUse = order?.patientid ? await findNumberInUse(tx, place.account_uuid, order) : undefined
  const named = [order, inUse && order && { ...order, ...inUse }].filter((one) => one !== undefined)
  const ofPatient = named.filter((one) => isPatientOfOrder(outgoing, one))
  if (order && ofPatient.length === 0) return 'order_id'
  const ownNames = await findOwnNames(tx, place.account_uuid)
  const isOther = ofPatient.every((one) => areOtherAuthorities(one.issuer, outgoing.issuer, ownNames))
  if (order?.patientid && isOther) return 'issuer'
  if (await findNumberInUse(tx, place.account_uuid, outgoing)) return 'mrn_merged'
  return findFaultOfAccessions(tx, place.account_uuid, outgoing, accessions)
}

async function findFaultOfAccessions(
  tx: Tx,
  accountUuid: string,
  outgoing: ComparedPatient,
  accessions: readonly string[],
): Promise<OrderFault | undefined> {
  const ended = await listEndedIn(tx, accountUuid, outgoing)
  const other = await findOtherOfAccession(tx, accountUuid, outgoing, ended, accessions)
  if (other === 'authority') return 'issuer'
  return other && 'accession_number'
}

/**
 * The same of a push, wherever it goes: the order of its exam may have been cancelled or changed since, and the exam edited.
 * An exam without an order is held against the accession numbers of others, with those of all its images.
 */
export async function findFaultOfPush(
  tx: Tx,
  push: { account_uuid: string; study_uuid: string },
  outgoing: OutgoingRecord,
  images: readonly StoredInstance[],
): Promise<OrderFault | undefined> {
  const matched = await findMatchedOrder(tx, push.study_uuid)
  const order = matched && (await lockOrder(tx, matched.order_uuid))
  if (namesUnseenMrn(outgoing)) return 'several_mrns'
  // an order that was deleted says no more than one that was cancelled
  if (matched && !order) return 'order_cancelled'
  const fault = await findOrderFault(tx, push, outgoing, outgoingAccessions(outgoing, images), order)
  return (
    fault ??
    (matched && order && isRenumbered(matched.order_accession, order, outgoing) ? 'order_accession' : undefined)
  )
}

/**
 * Whether images carry several MRNs of which nobody said the one. A gatekeeper group sends all under that of the record, but
 * where somebody wrote the MRN not an image under a number that this person had not seen.
 */
function namesUnseenMrn({ several_mrns, one_mrn, edits }: OutgoingRecord): boolean {
  return several_mrns && (!one_mrn || edits.some((edit) => edit.tag === 'patientid'))
}

/** Whether an order got another accession number since an exam was matched with it, which is not that of the exam by now. */
function isRenumbered(
  before: string | null,
  { accession_number: now }: StoredOrder,
  outgoing: Pick<OutgoingRecord, 'accession_number'>,
): boolean {
  return before !== null && foldId(before) !== foldId(now) && foldId(now) !== foldId(outgoing.accession_number)
}

/** The same of the images that follow others of a push: the numbers of those were asked for before. */
export async function findFaultOfMore(
  tx: Tx,
  push: { account_uuid: string; sent: readonly string[] },
  outgoing: OutgoingRecord,
  images: readonly StoredInstance[],
): Promise<OrderFault | undefined> {
  if (namesUnseenMrn(outgoing)) return 'several_mrns'
  const sent = new Set(push.sent)
  const [before, more] = [true, false].map((isSent) =>
    outgoingAccessions(
      outgoing,
      images.filter((one) => sent.has(one.version) === isSent),
    ),
  )
  return findFaultOfAccessions(tx, push.account_uuid, outgoing, more?.filter((one) => !before?.includes(one)) ?? [])
}
