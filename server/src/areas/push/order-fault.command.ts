import { areOtherAuthorities } from '@hilum/dicom/authority'
import type { Tx } from '../../db/database.ts'
import { findOtherOfAccession } from '../order/exams-of-order.sql.ts'
import { lockOrder, type StoredOrder } from '../order/order-write.sql.ts'
import { findOwnNames } from '../storage/authority.sql.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'
import { findMatchedOrder } from '../nomination/nomination.sql.ts'
import { isPatientOfOrder } from '../nomination/second-person.policy.ts'

/** Reasons why an exam does not leave as it is, by the orders of its place. */
export type OrderFault = 'order_cancelled' | 'order_id' | 'issuer' | 'accession_number'

/**
 * Compares an exam, as it leaves, with the order that it was matched with, and its accession number with all orders of its
 * place: many archives and reporting systems file an exam by that number alone.
 */
export async function findOrderFault(
  tx: Tx,
  place: { account_uuid: string; phi_namespace: string },
  outgoing: ComparedPatient & { accession_number: string },
  order: StoredOrder | undefined,
): Promise<OrderFault | undefined> {
  if (order?.is_cancelled) return 'order_cancelled'
  if (order && !isPatientOfOrder(outgoing, order)) return 'order_id'
  const ownNames = await findOwnNames(tx, place.account_uuid)
  if (order?.patientid && areOtherAuthorities(order.issuer, outgoing.issuer, ownNames)) return 'issuer'
  const other = await findOtherOfAccession(tx, place, outgoing)
  if (other === 'authority') return 'issuer'
  return other && 'accession_number'
}

/**
 * The same of a push, wherever it goes: the order of its exam may have been cancelled or changed since, and the exam edited.
 * An exam without an order is held against the accession numbers of others.
 */
export async function findFaultOfPush(
  tx: Tx,
  push: { account_uuid: string; phi_namespace: string; study_uuid: string },
  outgoing: Parameters<typeof findOrderFault>[2],
): Promise<OrderFault | undefined> {
  const orderUuid = await findMatchedOrder(tx, push.study_uuid)
  const order = orderUuid && (await lockOrder(tx, orderUuid))
  // an order that was deleted says no more than one that was cancelled
  if (orderUuid && !order) return 'order_cancelled'
  return findOrderFault(tx, push, outgoing, order || undefined)
}
