import { createHash } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import { StorageError } from '@hilum/contract/storage-errors'
import { noteRefusedSender } from '../../areas/audit/note-refused-sender.command.ts'
import type { OrderPlace } from '../../areas/order/order-message.sql.ts'
import { MessageRefused, type OrderSender, type RefusalOfMessage } from '../../areas/order/sent-order.ts'
import { findPlaceOfSender, takeOrderMessage, writeMessageAudit } from '../../areas/order/take-order-message.command.ts'
import { DatabaseAwayError } from '../../db/database-away.ts'
import type { Services } from '../../services.ts'
import { acknowledge, type AnsweredHeader, noHeader } from './acknowledgement.ts'
import { hl7Conditions, Hl7Fault } from './hl7-fault.ts'
import { componentOf, rawField, readDelimiters, readSegments, type Hl7Segment } from './hl7-message.ts'
import { decodeHl7 } from './hl7-text.ts'
import { readMessage } from './read-message.ts'

type Asked = Pick<Services, 'config' | 'db' | 'store' | 'log' | 'events' | 'metrics'>

/**
 * Does what a message asks for, and answers: AA when everything is committed, AE or AR with the reason when nothing was
 * changed. Never throws.
 * @returns the answer; undefined where the message wants none
 */
export async function answerMessage(services: Asked, bytes: Buffer, address: string): Promise<Buffer | undefined> {
  let header = noHeader
  let fault: Hl7Fault | undefined
  let outcome = 'AA'
  let note = ''
  try {
    const segment = readHeader(bytes)
    header = answeredHeader(segment)
    outcome = await take(services, { bytes, segment, header, address })
    if (outcome === 'held') note = 'A report waits here until its exam comes'
  } catch (error) {
    fault = explain(services, error)
    outcome = hl7Conditions[fault.condition].answer
  }
  services.metrics.orderMessages.inc({ outcome })
  return acknowledge(header, fault, new Date(), note)
}

interface Received {
  bytes: Buffer
  /** MSH as latin1. */
  segment: Hl7Segment
  header: AnsweredHeader
  address: string
}

/**
 * @returns AA, `held` where a report waits for its exam, or `repeated` for a message that was taken before
 * @throws Hl7Fault and what the command throws
 */
async function take(services: Asked, { bytes, segment, header, address }: Received): Promise<string> {
  const { db } = services
  demandNames(segment, header)
  const application = firstComponent(segment, 3)
  const { place, isAllowed } = (await findPlaceOfSender(db, firstComponent(segment, 5), { application, address })) ?? {}
  if (!place || !isAllowed) {
    await noteRefused(services, application, address, place)
    throw place
      ? new Hl7Fault('internal', 'The sender is not among those who may send orders to this place', 'MSH-3')
      : new Hl7Fault('internal', 'Nothing takes orders under the name of this receiving application', 'MSH-5')
  }
  const sender: OrderSender = {
    sender: [application, firstComponent(segment, 4)].filter(Boolean).join(' '),
    controlId: header.controlId,
    digest: createHash('sha256').update(bytes).digest(),
    type: [firstComponent(segment, 9), header.trigger].filter(Boolean).join('^'),
    address,
  }
  try {
    const outcome = await takeFrom(services, bytes, segment, place, sender)
    return outcome === 'taken' ? 'AA' : outcome
  } catch (error) {
    const fault = explain(services, error)
    await noteFault(services, place, sender, fault)
    throw fault
  }
}

async function takeFrom(
  services: Asked,
  bytes: Buffer,
  header: Hl7Segment,
  place: OrderPlace,
  sender: OrderSender,
): Promise<'taken' | 'held' | 'repeated'> {
  const processing = firstComponent(header, 11)
  if (processing !== 'P') throw new Hl7Fault('processing', 'Only messages of production (P) are taken here', 'MSH-11')
  if (!/^2(\.\d+)*$/.test(firstComponent(header, 12))) {
    throw new Hl7Fault('version', 'Messages of this version are not taken here', 'MSH-12')
  }
  const { delimiters } = header
  const text = decodeHl7(bytes, rawField(header, 18).split(delimiters.repetition))
  return takeOrderMessage(services, place, sender, readMessage(readSegments(text, delimiters), place.ownNames))
}

/** Longest header that is looked at. */
const maxHeaderBytes = 8192

function readHeader(bytes: Buffer): Hl7Segment {
  const beginning = bytes.subarray(0, maxHeaderBytes).toString('latin1')
  const line = beginning.split(/[\r\n]/, 1)[0] ?? ''
  return { name: 'MSH', line, delimiters: readDelimiters(line) }
}

/** Text of a header that an answer may repeat. */
const repeatable = /^[ -~\u00a0-\u00ff]{0,227}$/

function answeredHeader(segment: Hl7Segment): AnsweredHeader {
  const field = (number: number) => {
    const raw = rawField(segment, number)
    return repeatable.test(raw) ? raw : ''
  }
  const first = (number: number) =>
    repeatable.test(firstComponent(segment, number)) ? firstComponent(segment, number) : ''
  return {
    delimiters: segment.delimiters,
    sendingApplication: field(3),
    sendingFacility: field(4),
    receivingApplication: field(5),
    receivingFacility: field(6),
    trigger: (componentOf(segment, field(9), 2) ?? '').toUpperCase(),
    controlId: field(10),
    processing: first(11) || noHeader.processing,
    version: first(12) || noHeader.version,
    acceptAck: field(15).toUpperCase(),
    applicationAck: field(16).toUpperCase(),
  }
}

/** @throws Hl7Fault without a control id, which no answer could be told by */
function demandNames(segment: Hl7Segment, { controlId }: AnsweredHeader): void {
  if (controlId === '') throw new Hl7Fault('missing', 'The message has no control id', 'MSH-10')
  for (const number of [3, 4, 5, 9]) {
    if (!repeatable.test(rawField(segment, number))) {
      throw new Hl7Fault('form', 'A name in the header cannot be read', `MSH-${number}`)
    }
  }
}

function firstComponent(segment: Hl7Segment, field: number): string {
  return componentOf(segment, rawField(segment, field), 1) ?? ''
}

/** Answers of table 0357 by what the command refuses. */
const refusals = {
  'unknown-order': ['unknownKey', 'ORC-2'],
  'unknown-step': ['unknownKey', 'OBR-20'],
  'unknown-exam': ['unknownKey', 'OBR-18'],
  'too-many-reports': ['internal', 'OBR-18'],
  'several-patients': ['value', 'PID-3'],
  'other-patient': ['value', 'PID-3'],
  'no-patient': ['segments', 'PID'],
  'same-number': ['value', 'MRG-1'],
} as const satisfies Record<RefusalOfMessage, readonly [keyof typeof hl7Conditions, string]>

function explain({ log }: Asked, error: unknown): Hl7Fault {
  if (error instanceof Hl7Fault) return error
  if (error instanceof MessageRefused)
    return new Hl7Fault(refusals[error.reason][0], error.message, refusals[error.reason][1])
  if (error instanceof ApiError && error.code === 'INVALID_FIELD') {
    return new Hl7Fault('form', `A value cannot be kept: ${String(error.detail.subtype)}`)
  }
  if (error instanceof ApiError && error.code === 'MISSING_FIELDS') {
    return new Hl7Fault('missing', 'The order is of nobody', 'PID-3')
  }
  if (error instanceof StorageError) return new Hl7Fault('internal', error.message)
  if (error instanceof DatabaseAwayError) return new Hl7Fault('internal', 'The database of the server does not answer')
  log.error({ event: 'order message failed', err: error })
  return new Hl7Fault('internal', 'Something failed inside the server')
}

async function noteFault(services: Asked, place: OrderPlace, sender: OrderSender, fault: Hl7Fault): Promise<void> {
  const { answer } = hl7Conditions[fault.condition]
  try {
    await writeMessageAudit(services.db, place, sender, answer, fault.message)
  } catch (error) {
    services.log.error({ event: 'order message not put on record', err: error })
  }
}

async function noteRefused(
  services: Asked,
  application: string,
  address: string,
  place: OrderPlace | undefined,
): Promise<void> {
  services.log.warn({ event: 'order message refused', address, isCalled: place !== undefined })
  const acts = new Map([['HL7', 1]] as const)
  try {
    await noteRefusedSender(services, { callingTitle: application, address, called: place, acts })
  } catch (error) {
    services.log.error({ event: 'refused sender not put on record', err: error })
  }
}
