import type { SentOrder, SentStep } from '../../areas/order/sent-order.ts'
import { Hl7Fault } from './hl7-fault.ts'
import { type Hl7Segment, valueOf } from './hl7-message.ts'
import { momentIn, nameIn } from './read-values.ts'

/** Acts by the order control code, ORC-1 (HL7 table 0119). */
const acts: Readonly<Record<string, SentOrder['act']>> = {
  NW: 'put',
  XO: 'put',
  XX: 'put',
  RP: 'put',
  RO: 'put',
  SN: 'put',
  SC: 'status',
  SR: 'status',
  CA: 'cancel',
  OC: 'cancel',
  CR: 'cancel',
  DC: 'cancel',
  OD: 'cancel',
  DR: 'cancel',
}

/** Progress by the order status, ORC-5 (HL7 table 0038). */
const statuses: Readonly<Record<string, SentStep['status']>> = {
  IP: 'IN_PROGRESS',
  CM: 'COMPLETED',
  CA: 'DISCONTINUED',
  DC: 'DISCONTINUED',
  // scheduled, as a step is until something else is said
  SC: undefined,
}

/**
 * The orders of ORM^O01 and OMI^O23: each ORC, and the segments up to the next.
 * @throws Hl7Fault when there is none, and for values that cannot be read
 */
export function readOrders(segments: readonly Hl7Segment[]): SentOrder[] {
  const starts = segments.flatMap((segment, at) => (segment.name === 'ORC' ? [at] : []))
  if (starts.length === 0) throw new Hl7Fault('segments', 'The message has no order', 'ORC')
  return starts.map((start, at) => readOrderGroup(segments, segments.slice(start, starts[at + 1])))
}

function readOrderGroup(message: readonly Hl7Segment[], group: readonly Hl7Segment[]): SentOrder {
  const find = (name: string) => group.find((one) => one.name === name)
  const visit = message.find((one) => one.name === 'PV1')
  const [orc, obr, ipc, timing] = [find('ORC'), find('OBR'), find('IPC'), find('TQ1')]
  // a segment of no standard by which IHE gives the study its UID before OMI had a field
  const zds = find('ZDS') ?? message.find((one) => one.name === 'ZDS')
  const control = valueOf(orc, 1)
  if (!control) throw new Hl7Fault('missing', 'The order has no control code', 'ORC-1')
  const act = acts[control.toUpperCase()]
  if (!act) throw new Hl7Fault('value', 'The control code of the order is not taken here', 'ORC-1')
  const number = valueOf(orc, 2) || valueOf(obr, 2) || valueOf(orc, 3) || valueOf(obr, 3)
  if (!number) throw new Hl7Fault('missing', 'The order has no number', 'ORC-2')
  const moment = momentIn(timing, 7) ?? momentIn(orc, 7, 4) ?? momentIn(obr, 27, 4) ?? momentIn(obr, 36) ?? undefined
  const described = valueOf(obr, 4, 2)
  return {
    act,
    order_number: number,
    accession_number: valueOf(ipc, 1) ?? valueOf(obr, 18),
    referring_physician: physicianOf(visit, 8) ?? physicianOf(obr, 16) ?? physicianOf(orc, 12),
    sending_facility: valueOf(message[0], 4),
    study_uid: valueOf(ipc, 3) ?? valueOf(zds, 1),
    step: {
      modality: valueOf(ipc, 5) ?? modalityOf(valueOf(obr, 24)),
      scheduled_procedure_step_id: valueOf(ipc, 4) ?? valueOf(obr, 20),
      requested_procedure_id: valueOf(ipc, 2) ?? valueOf(obr, 19),
      requested_procedure_description: valueOf(obr, 44, 2) ?? described,
      scheduled_station_aetitle: valueOf(ipc, 9),
      scheduled_procedure_step_start_date: moment?.date,
      scheduled_procedure_step_start_time: moment?.time,
      scheduled_procedure_step_description: valueOf(ipc, 6, 2) ?? valueOf(obr, 4, 5) ?? described,
      status: act === 'status' ? readStatus(orc, obr) : undefined,
    },
  }
}

/** The section of a diagnostic service, where it is a modality; radiology as a whole is none. */
function modalityOf(section: string | undefined): string | undefined {
  return section === 'RAD' || section === 'IMG' ? undefined : section
}

function readStatus(orc: Hl7Segment | undefined, obr: Hl7Segment | undefined): SentStep['status'] {
  const code = valueOf(orc, 5)?.toUpperCase() ?? ''
  // a result that is final or corrected is of an exam that was made
  const status = statuses[code] ?? (['F', 'C'].includes(valueOf(obr, 25) ?? '') ? 'COMPLETED' : undefined)
  if (status === undefined && code !== '' && !Object.hasOwn(statuses, code))
    throw new Hl7Fault('value', 'The status of the order is not taken here', 'ORC-5')
  return status
}

/** Acts by the trigger of a scheduling message. */
const scheduling: Readonly<Record<string, 'put' | 'cancel'>> = {
  S12: 'put',
  S13: 'put',
  S14: 'put',
  S15: 'cancel',
  S17: 'cancel',
}

/** Whether appointments are taken by this trigger. */
export function isScheduling(trigger: string): boolean {
  return Object.hasOwn(scheduling, trigger)
}

/**
 * The order of an appointment, SIU^S12 to S17. One that names no order is an order itself and ends with the appointment;
 * of an order that is named the appointment is a step.
 * @throws Hl7Fault
 */
export function readAppointment(segments: readonly Hl7Segment[], trigger: string): SentOrder[] {
  const find = (name: string) => segments.find((one) => one.name === name)
  const [sch, ais, zds] = [find('SCH'), find('AIS'), find('ZDS')]
  if (!sch) throw new Hl7Fault('segments', 'The message has no appointment', 'SCH')
  const appointment = valueOf(sch, 1) || valueOf(sch, 2)
  const order = valueOf(sch, 26) || valueOf(sch, 27)
  if (!order && !appointment) throw new Hl7Fault('missing', 'The appointment has no number', 'SCH-1')
  const moment = momentIn(ais, 4) ?? momentIn(find('TQ1'), 7) ?? momentIn(sch, 11, 4)
  const described = valueOf(ais, 3, 2) ?? valueOf(sch, 7, 2)
  const cancel = order ? 'cancel-step' : 'cancel'
  return [
    {
      act: scheduling[trigger] === 'put' ? 'put' : cancel,
      order_number: order || appointment || '',
      referring_physician: physicianOf(find('PV1'), 8),
      sending_facility: valueOf(segments[0], 4),
      study_uid: valueOf(zds, 1),
      step: {
        scheduled_procedure_step_id: appointment,
        requested_procedure_description: described,
        scheduled_procedure_step_description: described,
        scheduled_procedure_step_start_date: moment?.date,
        scheduled_procedure_step_start_time: moment?.time,
      },
    },
  ]
}

function physicianOf(segment: Hl7Segment | undefined, field: number): string | undefined {
  return segment && nameIn(segment, field, 2)
}
