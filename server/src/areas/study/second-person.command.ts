import { ApiError } from '@hilum/contract/errors'
import type { InboxConfig } from '@hilum/contract/inbox-config'
import type { IdentityVerdict } from '@hilum/dicom/identity'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Database, Tx } from '../../db/database.ts'
import { type LockedStudy, lockStudyRow } from '../altered/locked-study.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { findOrderFault } from '../push/order-fault.command.ts'
import { lockNominated, lockNominationAt, markAsked, type NominationRow } from '../nomination/nomination.sql.ts'
import {
  agreesButImages,
  isConfirmation,
  outgoingVerdict,
  comparedPatientOf,
  printOf,
  takesTwoPeople,
} from '../nomination/second-person.policy.ts'
import { tellNomination } from '../nomination/tell-nomination.command.ts'
import { findNumberInUse } from '../order/number-in-use.command.ts'
import { isInScope, visibleOrders } from '../order/order.policy.ts'
import { type StoredOrder, lockOrder } from '../order/order-write.sql.ts'
import { hiddenFields } from './field-access.policy.ts'

/** The match of one person, which waits for another: rolls back what was begun, and is kept by `storeMatch`. */
export class SecondPersonWanted extends Error {
  readonly match: Match
  constructor(match: Match) {
    super('second person wanted')
    this.match = match
  }
}

interface Match {
  /** The nomination as it stood. */
  before: NominationRow
  /** Of the study, as the caller saw it. */
  version: number
  print: Buffer
  destinationUuid: string
  orderUuid: string | null
  verdict: IdentityVerdict
}

interface Sending {
  nomination: NominationRow
  row: LockedStudy
  config: InboxConfig | undefined
  version: number
  /** The images that leave. */
  content: string
  destinationUuid: string
  /** As the caller names one; else that of the person before. */
  orderUuid: string | undefined
  /** Fields of the order as the caller read them. */
  orderSeen: Readonly<Record<string, unknown>> | undefined
}

/**
 * Lets a study leave that its group does not want confirmed by two people, or that another person has matched just so.
 * @returns the order that it leaves under, and whether another person matched it
 * @throws SecondPersonWanted for the first of two; ApiError STALE where study or order is not what the first one matched,
 *   or the order names another patient than the study, was cancelled or was changed since the caller read it; NOT_FOUND for an order that the caller does not see
 */
export async function confirmByTwo(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  { nomination, row, config, version, content, destinationUuid, orderUuid, orderSeen }: Sending,
): Promise<{ orderUuid: string | null; isByTwo: boolean }> {
  const stored = nomination.asked_version === version ? nomination.order_uuid : null
  const named = orderUuid ? await demandOrder(tx, caller, record, orderUuid) : stored && (await lockOrder(tx, stored))
  // the first person matches anew without an order that was cancelled since; nobody else is left with it unasked
  const isOwnMatch = !orderUuid && nomination.asked_by === caller.userUuid
  const order = named && !(named.is_cancelled && isOwnMatch) ? named : undefined
  const verdict = outgoingVerdict(row, order)
  // the order may have come under another patient since the exam was matched with it
  const patient = comparedPatientOf({ ...row.values, issuer: row.issuer })
  // all images leave a gatekeeper group under this number
  const accessions = [row.values['accession_number'] ?? '']
  const fault = await findOrderFault(tx, record, patient, accessions, order)
  if (fault === 'mrn_merged' && (await maySeeMrn(caller, record))) {
    const data = await findNumberInUse(tx, record.account_uuid, patient)
    throw new ApiError('STALE', { subtype: fault, data })
  }
  if (fault) throw new ApiError('STALE', { subtype: fault })
  if (order) demandUnchanged(orderSeen, order, 'order_changed')
  if (!takesTwoPeople(config?.risk_line ?? 'NONE', verdict))
    return { orderUuid: order ? order.uuid : null, isByTwo: false }
  const print = printOf(row, destinationUuid, order, content)
  if (isConfirmation(nomination, { userUuid: caller.userUuid, version, print })) {
    const detail = { destination: destinationUuid, verdict, first: nomination.asked_by }
    await writeStudyAudit(tx, caller, record, 'SEND_CONFIRMED', detail)
    return { orderUuid: order ? order.uuid : null, isByTwo: true }
  }
  const isOfOther = nomination.asked_by !== null && nomination.asked_by !== caller.userUuid
  // nobody confirms a match that is none any more without looking at what changed; where images came, this is a first word
  const isChanged = isOfOther && nomination.asked_version === version && !agreesButImages(nomination, print)
  if (isChanged) throw new ApiError('STALE')
  const match = { before: nomination, version, print, destinationUuid, verdict }
  throw new SecondPersonWanted({ ...match, orderUuid: order ? order.uuid : null })
}

async function maySeeMrn(caller: Caller, { phi_namespace }: StudyRecord): Promise<boolean> {
  const place = (await caller.memberships()).find((one) => one.namespaceUuid === phi_namespace)
  return place !== undefined && !hiddenFields(place.fieldFlags).includes('patientid')
}

/** An order of the account that the caller may see, locked. */
async function demandOrder(tx: Tx, caller: Caller, record: StudyRecord, uuid: string): Promise<StoredOrder> {
  const places = await caller.memberships()
  const account = places.find((one) => one.kind === 'account' && one.accountUuid === record.account_uuid)
  const order = account && (await lockOrder(tx, uuid))
  if (!order || !isInScope(await visibleOrders(caller, account), order)) {
    throw new ApiError('NOT_FOUND', { subtype: 'order_id' })
  }
  return order
}

/**
 * Keeps what the first of two people matched, on record; ring the events afterwards. Others may have acted since the
 * match was made, as the transaction that found it was rolled back.
 * @returns false where somebody has: the match is to be made again
 */
export async function storeMatch(db: Database, caller: Caller, record: StudyRecord, match: Match): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const nomination = await lockNominationAt(tx, record.uuid)
    if (!nomination) return false
    await lockNominated(tx, [nomination])
    const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
    if (!row || row.row_version !== match.version || !isSameWord(nomination, match.before)) return false
    const { asked_by: first, asked_version: seen, asked_print: stored } = nomination
    if (first === caller.userUuid && seen === match.version && stored?.equals(match.print)) return true
    await markAsked(tx, nomination, { ...match, userUuid: caller.userUuid })
    const detail = { destination: match.destinationUuid, verdict: match.verdict }
    await writeStudyAudit(tx, caller, record, 'SEND_ASKED', detail)
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
    // the place that nominated it learns that a failed push waits again
    if (nomination.state === 'sent') await tellNomination(tx, nomination.uuid)
    return true
  })
}

/** Whether a nomination stands as it did: undecided alike, with the word of the same person on the same match. */
function isSameWord(now: NominationRow, before: NominationRow): boolean {
  return (
    now.uuid === before.uuid &&
    now.state === before.state &&
    now.push_status === before.push_status &&
    now.asked_by === before.asked_by &&
    now.asked_version === before.asked_version &&
    (now.asked_print === before.asked_print ||
      (now.asked_print !== null && before.asked_print !== null && now.asked_print.equals(before.asked_print)))
  )
}
