import type { Database, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { attachReports, storeReports, type ReportOnDisk } from './attach-reports.command.ts'
import { followMerges, mergePatient, unlinkPatients, updatePatient } from './change-patient-of-orders.command.ts'
import { findOrderPlaceByTitle, lockOrdersOf, noteOrderMessage, type OrderPlace } from './order-message.sql.ts'
import { putSentOrder } from './put-sent-order.command.ts'
import { isPeerAllowed } from '../node/peer-rules.ts'
import { MessageRefused, type OrderSender, type SentMessage } from './sent-order.ts'

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
  services: Pick<Services, 'config' | 'db' | 'store' | 'log' | 'events'>,
  place: OrderPlace,
  sender: OrderSender,
  message: SentMessage,
): Promise<'taken' | 'held' | 'repeated'> {
  if (message.kind === 'reports') return takeReports(services, place, sender, message)
  const outcome = await commitMessage(services.db, place, sender, (tx) => apply(tx, place, message))
  services.events.ring()
  return outcome
}

async function takeReports(
  services: Pick<Services, 'config' | 'db' | 'store' | 'log' | 'events'>,
  place: OrderPlace,
  sender: OrderSender,
  message: Extract<SentMessage, { kind: 'reports' }>,
): Promise<'taken' | 'held' | 'repeated'> {
  const reports: readonly ReportOnDisk[] = await storeReports(services, place, message.reports)
  const bodies = reports.flatMap(({ stored }) => stored.map(({ body }) => body))
  const needed = new Set<string>()
  let held = 0
  const discard = async () => {
    await Promise.all(bodies.filter(({ objectKey }) => !needed.has(objectKey)).map((body) => body.discard()))
  }
  try {
    const outcome = await commitMessage(services.db, place, sender, async (tx) => {
      const patient = await followMerges(tx, place, message.patient)
      const attached = await attachReports(tx, place, sender, patient, reports)
      for (const key of attached.needed) needed.add(key)
      held = attached.held
      return held > 0 ? `${held} of ${reports.length} reports wait for their exam` : ''
    })
    await discard()
    services.events.ring()
    return outcome === 'taken' && held > 0 ? 'held' : outcome
  } catch (error) {
    // a refusal has listed nothing; of another failure nobody knows whether the commit came through
    if (error instanceof MessageRefused) {
      needed.clear()
      await discard()
    }
    throw error
  }
}

function commitMessage(
  db: Database,
  place: OrderPlace,
  sender: OrderSender,
  /** Gives words for the audit where there is more to say than that the message was taken. */
  act: (tx: Tx) => Promise<string | undefined>,
): Promise<'taken' | 'repeated'> {
  return db.transaction().execute(async (tx) => {
    await lockOrdersOf(tx, place.namespaceUuid)
    if (!(await noteOrderMessage(tx, place.namespaceUuid, sender))) return 'repeated'
    const words = await act(tx)
    await writeMessageAudit(tx, place, sender, 'AA', words)
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

async function apply(
  tx: Tx,
  place: OrderPlace,
  message: Exclude<SentMessage, { kind: 'reports' }>,
): Promise<string | undefined> {
  if (message.kind === 'patient') {
    await updatePatient(tx, place, await followMerges(tx, place, message.patient))
    return undefined
  }
  if (message.kind === 'merge') {
    await mergePatient(tx, place, message.patient, message.prior)
    return undefined
  }
  if (message.kind === 'unlink') return unlinkPatients(tx, place, message.patients)
  for (const order of message.orders) await putSentOrder(tx, place, message.patient, order)
  return undefined
}
