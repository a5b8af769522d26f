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

/**
 * Takes back that one of two numbers ended in the other, at once or by way of others, or that both ended in a third: they are
 * in use again, for what comes from now on. Orders that went over stay where they are, since nobody told which are whose.
 * @returns words for the audit where nothing was taken back
 * @throws MessageRefused
 */
export async function unlinkPatients(
  tx: Tx,
  place: OrderPlace,
  [one, other]: readonly [SentPatient, SentPatient],
): Promise<string | undefined> {
  const { ownNames } = place
  if (isOneNumber(one, other, ownNames))
    throw new MessageRefused('same-number', 'Both numbers of the message are the same')
  const [ofOne, ofOther] = [await listMerges(tx, place, one), await listMerges(tx, place, other)]
  const ended = [
    ...(ofOne.some((into) => mayBeOneNumber(into, other, ownNames)) ? [one] : []),
    ...(ofOther.some((into) => mayBeOneNumber(into, one, ownNames)) ? [other] : []),
  ]
  const [end, endOfOther] = [ofOne.at(-1), ofOther.at(-1)]
  const isOneEnd = end !== undefined && endOfOther !== undefined && isOneNumber(end, endOfOther, ownNames)
  const inUseAgain = ended.length === 0 && isOneEnd ? [one, other] : ended
  for (const number of inUseAgain) await forgetMerges(tx, place, number)
  return inUseAgain.length === 0 ? 'Neither number had ended in the other' : undefined
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
