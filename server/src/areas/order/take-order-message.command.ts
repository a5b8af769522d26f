import type { Database, Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { followMerges, mergePatient, updatePatient } from './change-patient-of-orders.command.ts'
import { findOrderPlaceByTitle, lockOrdersOf, noteOrderMessage, type OrderPlace } from './order-message.sql.ts'
import { putSentOrder } from './put-sent-order.command.ts'
import { isPeerAllowed } from '../node/peer-rules.ts'
import type { SentMessage } from './sent-order.ts'

/** Sender and identifiers of a message, none of which names a patient. */
export interface OrderSender {
  /** The sending application and facility, as the message names them. */
  sender: string
  controlId: string
  /** Of the whole message: another message under the same id is another one. */
  digest: Buffer
  /** e.g. `ORM^O01` */
  type: string
  address: string
}

/** The place that a sender may send orders to. @returns undefined where there is none; `isAllowed` says the rest */
export async function findPlaceOfSender(
  db: Database,
  called: string,
  sender: { application: string; address: string },
): Promise<{ place: OrderPlace; isAllowed: boolean } | undefined> {
  const place = await findOrderPlaceByTitle(db, called)
  if (!place) return undefined
  const peer = { callingTitle: sender.application, address: sender.address }
  return { place, isAllowed: isPeerAllowed(place.senders, peer) }
}

/**
 * Does what a message asks for, in one transaction with its lines in the audit; a message that was taken before changes
 * nothing. When it returns, all is committed.
 * @throws MessageRefused when nothing was changed
 */
export async function takeOrderMessage(
  db: Database,
  place: OrderPlace,
  sender: OrderSender,
  message: SentMessage,
): Promise<'taken' | 'repeated'> {
  return db.transaction().execute(async (tx) => {
    await lockOrdersOf(tx, place.namespaceUuid)
    if (!(await noteOrderMessage(tx, place.namespaceUuid, sender))) return 'repeated'
    await apply(tx, place, message)
    await writeMessageAudit(tx, place, sender, 'AA')
    return 'taken'
  })
}

/** Notes that a message came and how it was answered. @param reason words without patient data */
export function writeMessageAudit(
  db: Database | Tx,
  { accountUuid, namespaceUuid }: OrderPlace,
  { sender, controlId, type, address }: OrderSender,
  answer: string,
  reason = '',
): Promise<void> {
  return writeAudit(db, {
    accountUuid,
    caller: undefined,
    action: 'ORDER_MESSAGE',
    type: 'Namespace',
    objectUuid: namespaceUuid,
    phiNamespace: namespaceUuid,
    detail: {
      message: type,
      control_id: controlId,
      calling_ae: sender,
      address,
      answer,
      ...(reason ? { reason } : {}),
    },
  })
}

async function apply(tx: Tx, place: OrderPlace, message: SentMessage): Promise<void> {
  if (message.kind === 'patient') {
    await updatePatient(tx, place, await followMerges(tx, place, message.patient))
    return
  }
  if (message.kind === 'merge') {
    await mergePatient(tx, place, message.patient, message.prior)
    return
  }
  const patient = message.patient && (await followMerges(tx, place, message.patient))
  for (const order of message.orders) await putSentOrder(tx, place, patient, order)
}
