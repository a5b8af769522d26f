import { createHash, randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import { hasUnreadCharacter } from '@hilum/dicom/text'
import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import type { FoundOrder } from '../../outbound/pacs/find-worklist.ts'
import { noteOrderChange } from './change-order.command.ts'
import { emptyOrder, emptyStep } from './empty-order.ts'
import { listSteps } from './order-message.sql.ts'
import { deleteStep, lockWorklistOrder, saveOrder, saveStep, setWorklistKey } from './order-write.sql.ts'
import { changesBetween, readOrder, readStep } from './read-order.ts'

/**
 * Makes an order of the item of a destination's worklist, for a group; an item that was taken before is brought up to
 * date, and holds again if it was cancelled. The order is not told to modalities: the worklist that it came from does that.
 * @throws ApiError INVALID_FIELD naming a value that no order holds
 */
export async function takeFromWorklist(
  tx: Tx,
  caller: Caller,
  place: { accountUuid: string; namespaceUuid: string },
  destinationUuid: string,
  found: FoundOrder,
): Promise<string> {
  const key = keyOf(destinationUuid, found)
  const names = { account_uuid: place.accountUuid, namespace_uuid: place.namespaceUuid }
  const before = await lockWorklistOrder(tx, place, key)
  const order = before ?? { ...emptyOrder, ...names, uuid: randomUUID(), source: 'worklist' }
  const { issuer, study_uid } = found
  if (hasUnreadCharacter(issuer)) throw new ApiError('INVALID_FIELD', { subtype: 'issuer' })
  // a code of another table is no sex that an order has, and no reason to turn it away
  const sex = /^[MFO]$/i.test(found.patient_sex) ? found.patient_sex : ''
  const after = {
    ...readOrder(order, { ...withoutUnreadNames(found), patient_sex: sex }),
    issuer,
    study_uid,
    is_cancelled: false,
  }
  await saveOrder(tx, after)
  if (before) {
    const detail = changesBetween(before, after)
    if (Object.keys(detail).length > 0) await noteOrderChange(tx, caller, before, 'EDIT', detail)
  } else {
    await setWorklistKey(tx, after.uuid, key)
    const detail = { accession_number: after.accession_number, destination: destinationUuid }
    await noteOrderChange(tx, caller, after, 'ADD', detail)
  }
  for (const one of await listSteps(tx, after.uuid)) await deleteStep(tx, one.uuid)
  const step = { ...emptyStep, uuid: randomUUID(), account_uuid: place.accountUuid, order_uuid: after.uuid }
  await saveStep(tx, readStep(step, usableStep(found)))
  return after.uuid
}

/** A name that could not be read is none: an order is chosen and an exam leaves by its numbers then. */
function withoutUnreadNames(found: FoundOrder): FoundOrder {
  const nameOf = (text: string) => (hasUnreadCharacter(text) ? '' : text)
  // empty and not left out: an order that is taken again may be another person's by now
  return {
    ...found,
    patient_name: nameOf(found.patient_name),
    referring_physician: nameOf(found.referring_physician),
  }
}

/** Of two items the step tells which, and where a worklist names none, all that it says of the order. */
function keyOf(destinationUuid: string, found: FoundOrder): string {
  const { scheduled_procedure_step_id, requested_procedure_id, accession_number, order_number, study_uid } = found
  const names = [scheduled_procedure_step_id, requested_procedure_id, accession_number, order_number, study_uid]
  const said = names.every((one) => one === '') ? Object.values(found) : [found.patientid, found.issuer, ...names]
  return createHash('sha256')
    .update(JSON.stringify([destinationUuid, ...said]))
    .digest('hex')
}

/** Values too long for a step are left out: the order is chosen by its patient and numbers. */
function usableStep(found: FoundOrder): Partial<FoundOrder> {
  const fields = Object.entries(found).filter(([field, value]) => {
    try {
      readStep({ ...emptyStep, uuid: '', account_uuid: '', order_uuid: '' }, { [field]: value })
      return true
    } catch {
      return false // the value is none of its field
    }
  })
  return Object.fromEntries(fields)
}
