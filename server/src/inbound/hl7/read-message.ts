import type { OwnNames } from '@hilum/dicom/authority'
import { hasUnreadCharacter } from '@hilum/dicom/text'
import type { SentMessage } from '../../areas/order/sent-order.ts'
import { Hl7Fault } from './hl7-fault.ts'
import { type Hl7Segment, valueOf } from './hl7-message.ts'
import { readMerge, readPatient } from './read-patient.ts'
import { isScheduling, readAppointment, readOrders } from './read-orders.ts'
import { readReports } from './read-reports.ts'

/** Kinds of messages that are taken, each with its triggers; a message of one trigger may leave it out. */
const taken: Readonly<Record<string, (trigger: string) => boolean>> = {
  ORM: (trigger) => ['O01', ''].includes(trigger),
  OMI: (trigger) => ['O23', ''].includes(trigger),
  SIU: isScheduling,
  ORU: (trigger) => ['R01', ''].includes(trigger),
  ADT: (trigger) => ['A08', 'A37', 'A40'].includes(trigger),
}

/**
 * The act that a message asks for.
 * @param segments MSH first
 * @param ownNames of the assigning authority of the organisation that takes the message
 * @throws Hl7Fault for a kind that is not taken, and for what cannot be read
 */
export function readMessage(segments: readonly Hl7Segment[], ownNames: OwnNames): SentMessage {
  demandRead(segments)
  const [header] = segments
  const kind = valueOf(header, 9, 1)?.toUpperCase() ?? ''
  const trigger = valueOf(header, 9, 2)?.toUpperCase() ?? ''
  const takes = Object.hasOwn(taken, kind) ? taken[kind] : undefined
  if (!takes) throw new Hl7Fault('messageType', 'Messages of this type are not taken here', 'MSH-9')
  if (!takes(trigger)) throw new Hl7Fault('event', 'Messages of this trigger are not taken here', 'MSH-9')
  const pids = segments.filter((one) => one.name === 'PID')
  if (trigger === 'A37') return readUnlinkOf(pids, ownNames)
  if (pids.length > 1) throw new Hl7Fault('segments', 'The message is about several patients', 'PID')
  const [pid] = pids
  if (trigger === 'A40') return readMergeOf(segments, pid, ownNames)
  const patient = pid && readPatient(pid, ownNames)
  if (kind === 'ORM' || kind === 'OMI') return { kind: 'orders', patient, orders: readOrders(segments) }
  if (kind === 'SIU') return { kind: 'orders', patient, orders: readAppointment(segments, trigger) }
  if (!patient) throw new Hl7Fault('segments', 'The message has no patient', 'PID')
  if (kind === 'ORU') return { kind: 'reports', patient, reports: readReports(segments) }
  return { kind: 'patient', patient }
}

/** Segments that are read, but for texts for people (OBX, NTE), in which a character that was lost on the way names nobody. */
const sourceSegments: ReadonlySet<string> = new Set([
  'MSH',
  'PID',
  'PV1',
  'MRG',
  'ORC',
  'OBR',
  'TQ1',
  'IPC',
  'ZDS',
  'SCH',
  'AIS',
])

function demandRead(segments: readonly Hl7Segment[]): void {
  const unread = segments.find(({ name, line }) => sourceSegments.has(name) && hasUnreadCharacter(line))
  if (unread) throw new Hl7Fault('form', 'The message has a character that its sender could not read', unread.name)
}

function readMergeOf(segments: readonly Hl7Segment[], pid: Hl7Segment | undefined, ownNames: OwnNames): SentMessage {
  if (!pid) throw new Hl7Fault('segments', 'The message has no patient', 'PID')
  const mrgs = segments.filter((one) => one.name === 'MRG')
  const [mrg] = mrgs
  if (!mrg || mrgs.length > 1) throw new Hl7Fault('segments', 'The message does not say which number ended', 'MRG')
  return { kind: 'merge', ...readMerge(pid, mrg, ownNames) }
}

/** Two patients who were linked, and are not one: each PID is one of them. */
function readUnlinkOf(pids: readonly Hl7Segment[], ownNames: OwnNames): SentMessage {
  const [one, other] = pids
  if (!one || !other || pids.length > 2)
    throw new Hl7Fault('segments', 'The message does not say which two patients are not one', 'PID')
  return { kind: 'unlink', patients: [readPatient(one, ownNames), readPatient(other, ownNames)] }
}
