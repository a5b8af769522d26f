import { randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import { areOtherAuthorities, isOneNumber } from '@hilum/dicom/authority'
import { findValueFault } from '@hilum/dicom/value-rules'
import type { Tx } from '../../db/database.ts'
import { listMrnHolders, listOrderedUnderMrn } from '../altered/mrn-holders.sql.ts'
import { noteOrderChange } from './change-order.command.ts'
import { followMerges, withPatient } from './change-patient-of-orders.command.ts'
import { emptyOrder, emptyStep } from './empty-order.ts'
import { listSteps, lockOrderByNumber, type OrderPlace, setStepStatus } from './order-message.sql.ts'
import { deleteStep, type StoredOrder, type StoredStep, saveOrder, saveStep } from './order-write.sql.ts'
import { changesBetween, readOrder, readStep } from './read-order.ts'
import { demandAlike, demandSamePatient } from './same-patient.policy.ts'
import { MessageRefused, type SentOrder, type SentPatient, type SentStep } from './sent-order.ts'

/**
 * Makes, changes or cancels the order that a message is about; making or changing one that was cancelled revives it. A
 * number of the patient that ended in another stands for that other one.
 * @throws MessageRefused, ApiError INVALID_FIELD naming the field that cannot be kept
 */
export async function putSentOrder(
  tx: Tx,
  place: OrderPlace,
  named: SentPatient | undefined,
  sent: SentOrder,
): Promise<void> {
  const patient = named && (await followMerges(tx, place, named))
  const known = await lockOrderByNumber(tx, place.namespaceUuid, sent.order_number)
  // numbers of orders repeat between systems: without its patient a message may mean the order of another one
  if (known) demandSamePatient(place.ownNames, known, patient ?? refusePatientless('A change of an order'))
  if (sent.act === 'cancel' || sent.act === 'cancel-step') return cancel(tx, known ?? refuseUnknown(), sent)
  if (!known && sent.act === 'status') return refuseUnknown()
  const order = known
    ? await change(tx, place, known, patient, sent)
    : await make(tx, place, await demandPatient(tx, place, named, patient), sent)
  await putStep(tx, order, sent.step)
}

function refuseUnknown(): never {
  throw new MessageRefused('unknown-order', 'There is no order with this number')
}

function refusePatientless(what: string): never {
  throw new MessageRefused('no-patient', `${what} needs its patient`)
}

/**
 * The patient of a new order. Where the number that the message names ended in another, a merge may have been wrong: the
 * person is held against all whom the organisation knows under the number in use.
 * @throws MessageRefused
 */
async function demandPatient(
  tx: Tx,
  { accountUuid, ownNames }: OrderPlace,
  named: SentPatient | undefined,
  patient: SentPatient | undefined,
): Promise<SentPatient> {
  if (!named || !patient) return refusePatientless('A new order')
  if (isOneNumber(named, patient, ownNames)) return patient
  const exams = await listMrnHolders(tx, accountUuid, [patient.patientid])
  const ordered = await listOrderedUnderMrn(tx, accountUuid, patient.patientid)
  const known = [...exams.filter((one) => !one.must_approve && !one.is_announced), ...ordered]
  for (const one of known.filter(({ issuer }) => !areOtherAuthorities(issuer, patient.issuer, ownNames)))
    demandAlike(one, patient)
  return patient
}

async function make(tx: Tx, place: OrderPlace, patient: SentPatient, sent: SentOrder): Promise<StoredOrder> {
  const { accountUuid: account_uuid, namespaceUuid: namespace_uuid } = place
  const empty = { ...emptyOrder, source: 'hl7', uuid: randomUUID(), account_uuid, namespace_uuid }
  const order = fill(place, empty, patient, sent)
  await saveOrder(tx, order)
  const { accession_number } = order
  await noteOrderChange(tx, undefined, order, 'ADD', { accession_number })
  return order
}

async function change(
  tx: Tx,
  place: OrderPlace,
  before: StoredOrder,
  patient: SentPatient | undefined,
  sent: SentOrder,
): Promise<StoredOrder> {
  const after = fill(place, before, patient, sent)
  const detail = changesBetween(before, after)
  if (Object.keys(detail).length === 0) return before
  await saveOrder(tx, after)
  // steps that were cancelled with the order are not scheduled again by one that comes
  if (before.is_cancelled && !after.is_cancelled) {
    for (const one of await listSteps(tx, before.uuid)) await deleteStep(tx, one.uuid)
  }
  await noteOrderChange(tx, undefined, before, 'EDIT', detail)
  return after
}

function fill(
  { ownNames }: OrderPlace,
  before: StoredOrder,
  patient: SentPatient | undefined,
  sent: SentOrder,
): StoredOrder {
  const { act, step: _step, study_uid, ...fields } = sent
  const ordered = readOrder(patient ? withPatient(before, patient, ownNames) : before, fields)
  const is_cancelled = before.is_cancelled && act !== 'put'
  const order = { ...ordered, study_uid: study_uid ?? before.study_uid, is_cancelled }
  // such values leave with images or go to modalities, where nothing may be cut off
  for (const [field, vr] of identifying) {
    if (findValueFault(order[field], vr)) throw new ApiError('INVALID_FIELD', { subtype: field })
  }
  return order
}

const identifying = [
  ['patientid', 'LO'],
  ['issuer', 'LO'],
  ['patient_name', 'PN'],
  ['accession_number', 'SH'],
  ['referring_physician', 'PN'],
  ['study_uid', 'UI'],
] as const

/** @throws MessageRefused when the message names none of several steps */
async function putStep(tx: Tx, order: StoredOrder, sent: SentStep): Promise<void> {
  const known = findStepOf(await listSteps(tx, order.uuid), sent)
  const { status, ...fields } = sent
  const names = { uuid: randomUUID(), account_uuid: order.account_uuid, order_uuid: order.uuid }
  const before = known ?? { ...emptyStep, ...names }
  const after = readStep(before, fields)
  await saveStep(tx, after)
  if (status) await setStepStatus(tx, after.uuid, { mpps_status: status })
  const detail = {
    ...(known ? changesBetween(before, after) : { step_added: after.uuid }),
    ...(status ? { mpps_status: ['', status] } : {}),
  }
  if (Object.keys(detail).length > 0) await noteOrderChange(tx, undefined, order, 'EDIT', detail)
}

/**
 * The step that a message is about: by its id, else by that of the requested procedure, else the only one. A step that
 * has no id yet takes the one that comes.
 */
function findStepOf(steps: readonly StoredStep[], sent: SentStep): StoredStep | undefined {
  const { scheduled_procedure_step_id: id, requested_procedure_id: procedure } = sent
  if (id) {
    const [first] = steps
    const isUnnamed = steps.length === 1 && first?.scheduled_procedure_step_id === ''
    return steps.find((one) => one.scheduled_procedure_step_id === id) ?? (isUnnamed ? first : undefined)
  }
  const ofProcedure = procedure ? steps.find((one) => one.requested_procedure_id === procedure) : undefined
  if (ofProcedure || steps.length <= 1) return ofProcedure ?? steps[0]
  if (procedure) return undefined
  throw new MessageRefused('unknown-step', 'The order has several steps, and the message names none')
}

/** Takes away the step that is named; cancels the order where the step is its last one, and without a step. */
async function cancel(tx: Tx, order: StoredOrder, { act, step }: SentOrder): Promise<void> {
  const steps = await listSteps(tx, order.uuid)
  const id = step.scheduled_procedure_step_id
  const named = id ? steps.find((one) => one.scheduled_procedure_step_id === id) : undefined
  if (act === 'cancel-step' && !named) {
    throw new MessageRefused('unknown-step', 'The order has no step with this number')
  }
  if (named && (act === 'cancel-step' || steps.length > 1)) {
    await deleteStep(tx, named.uuid)
    return noteOrderChange(tx, undefined, order, 'EDIT', { step_deleted: named.uuid })
  }
  // a step that is not there is not the whole order
  if (id && !named && steps.some((one) => one.scheduled_procedure_step_id !== '')) {
    throw new MessageRefused('unknown-step', 'The order has no step with this number')
  }
  if (order.is_cancelled) return
  const cancelled = { ...order, is_cancelled: true }
  await saveOrder(tx, cancelled)
  await noteOrderChange(tx, undefined, order, 'EDIT', changesBetween(order, cancelled))
}
