import {
  areOtherAuthorities,
  type GivenNumber,
  isOneNumber,
  mayBeOneNumber,
  type OwnNames,
} from '@hilum/dicom/authority'
import type { Tx } from '../../db/database.ts'
import { noteOrderChange } from './change-order.command.ts'
import { findMergedInto, forgetMerges, lockOrdersOfPatient, noteMerge, type OrderPlace } from './order-message.sql.ts'
import { type StoredOrder, saveOrder } from './order-write.sql.ts'
import { changesBetween, readOrder } from './read-order.ts'
import { demandAlike, demandSamePatient } from './same-patient.policy.ts'
import { MessageRefused, type SentPatient } from './sent-order.ts'

/** Merges that are followed one after the other; none of a real hospital is longer. */
const mostMerges = 20

/** The patient under the number that is in use: a message may still name one that ended in another. */
export async function followMerges(tx: Tx, place: OrderPlace, sent: SentPatient): Promise<SentPatient> {
  return (await listMerges(tx, place, sent)).at(-1) ?? sent
}

/** The patient under each number in which the one before it ended; the last is in use. */
async function listMerges(tx: Tx, place: OrderPlace, sent: SentPatient): Promise<SentPatient[]> {
  const path: SentPatient[] = []
  while (path.length < mostMerges) {
    const patient = path.at(-1) ?? sent
    const into = await findMergedInto(tx, place, patient)
    if (!into) break
    path.push({ ...patient, ...into })
  }
  return path
}

/** Brings what is known of a patient to all of the patient's orders, or to none. @throws MessageRefused */
export async function updatePatient(tx: Tx, place: OrderPlace, patient: SentPatient): Promise<void> {
  for (const order of await lockOrdersOfPatient(tx, place, patient)) {
    demandSamePatient(place.ownNames, order, patient)
    await savePatient(tx, place, order, patient)
  }
}

/**
 * Ends a number of a patient in another: the orders under it go over, and so do those that still come. Where that other
 * number ended before in a third, they go on to the third, so that merges may come in any order; where it ended in the
 * number that ends now, the later message holds. Studies stay unchanged: their numbers stand in the images.
 * @throws MessageRefused where an order under the ended number looks like somebody else's
 */
export async function mergePatient(tx: Tx, place: OrderPlace, patient: SentPatient, prior: GivenNumber): Promise<void> {
  if (isOneNumber(patient, prior, place.ownNames))
    throw new MessageRefused('same-number', 'Both numbers of the merge are the same')
  const path = await listMerges(tx, place, patient)
  const isTurnedRound = path.some((one) => mayBeOneNumber(one, prior, place.ownNames))
  const inUse = isTurnedRound ? patient : (path.at(-1) ?? patient)
  for (const order of await lockOrdersOfPatient(tx, place, prior)) {
    demandAlike(order, inUse)
    await savePatient(tx, place, order, inUse)
  }
  if (isTurnedRound) await forgetMerges(tx, place, inUse)
  await noteMerge(tx, place, prior, inUse)
}

async function savePatient(tx: Tx, { ownNames }: OrderPlace, before: StoredOrder, patient: SentPatient): Promise<void> {
  const after = withPatient(before, patient, ownNames)
  const detail = changesBetween(before, after)
  if (Object.keys(detail).length === 0) return
  await saveOrder(tx, after)
  await noteOrderChange(tx, undefined, before, 'EDIT', detail)
}

/**
 * An order with what a message says of its patient; a name of the authority stays where the message gives none and means no
 * other one.
 * @throws ApiError INVALID_FIELD naming the field
 */
export function withPatient(order: StoredOrder, patient: SentPatient, ownNames: OwnNames): StoredOrder {
  const isOther = areOtherAuthorities(order.issuer, patient.issuer, ownNames)
  return { ...readOrder(order, { ...patient }), issuer: isOther ? patient.issuer : patient.issuer || order.issuer }
}
