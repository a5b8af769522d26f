import { DimseError } from './dimse-error.ts'

/** Elements of group 0000 that this product reads or writes (PS3.7 Annex E), by their element number. */
const elements = {
  affectedSopClass: { element: 0x0002, vr: 'UI' },
  requestedSopClass: { element: 0x0003, vr: 'UI' },
  field: { element: 0x0100, vr: 'US' },
  messageId: { element: 0x0110, vr: 'US' },
  respondsTo: { element: 0x0120, vr: 'US' },
  moveDestination: { element: 0x0600, vr: 'AE' },
  priority: { element: 0x0700, vr: 'US' },
  dataSetType: { element: 0x0800, vr: 'US' },
  status: { element: 0x0900, vr: 'US' },
  errorComment: { element: 0x0902, vr: 'LO' },
  affectedSopInstance: { element: 0x1000, vr: 'UI' },
  requestedSopInstance: { element: 0x1001, vr: 'UI' },
  eventTypeId: { element: 0x1002, vr: 'US' },
  actionTypeId: { element: 0x1008, vr: 'US' },
  remainingOperations: { element: 0x1020, vr: 'US' },
  completedOperations: { element: 0x1021, vr: 'US' },
  failedOperations: { element: 0x1022, vr: 'US' },
  warningOperations: { element: 0x1023, vr: 'US' },
  moveOriginator: { element: 0x1030, vr: 'AE' },
  moveOriginatorMessageId: { element: 0x1031, vr: 'US' },
} as const

type Name = keyof typeof elements
/** A command set. What it says about a data set that follows is in `dataSetType`. */
export type Command = {
  [Key in Name]?: (typeof elements)[Key]['vr'] extends 'US' ? number : string
}

/** Values of `field` (PS3.7 §E.1); a response has the highest bit set. */
export const CommandField = {
  StoreRequest: 0x0001,
  GetRequest: 0x0010,
  FindRequest: 0x0020,
  MoveRequest: 0x0021,
  EchoRequest: 0x0030,
  EventReportRequest: 0x0100,
  ActionRequest: 0x0130,
  CancelRequest: 0x0fff,
} as const
const RESPONSE = 0x8000
/** The value of `dataSetType` that says that none follows; any other says that one does. */
export const NO_DATA_SET = 0x0101
const DATA_SET_FOLLOWS = 0x0001

/** Largest command taken: the standard's own need a few hundred bytes. */
export const MAX_COMMAND_BYTES = 64 * 1024
const MAX_COMMENT_CHARS = 64
/** Tag and length of an element. */
const ELEMENT_HEADER_BYTES = 8
/** The element of the group length, which comes first. */
const GROUP_LENGTH_BYTES = 12

const ordered = Object.entries(elements).sort(([, a], [, b]) => a.element - b.element) as [
  Name,
  (typeof elements)[Name],
][]
const names = new Map<number, Name>(ordered.map(([name, { element }]) => [element, name]))

/** Implicit VR Little Endian, group length first (PS3.7 §6.3.1). */
export function encodeCommand(command: Command, hasDataSet: boolean): Buffer {
  const complete: Command = { ...command, dataSetType: hasDataSet ? DATA_SET_FOLLOWS : NO_DATA_SET }
  const values: [element: number, value: string | number][] = []
  let length = GROUP_LENGTH_BYTES
  for (const [name, { element, vr }] of ordered) {
    const value = complete[name]
    if (value === undefined) continue
    const padded = typeof value === 'number' ? value : padText(vr, value)
    values.push([element, padded])
    length += ELEMENT_HEADER_BYTES + (typeof padded === 'number' ? 2 : padded.length)
  }
  // one piece of memory: each answer to a query has a command
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32LE(4, 4)
  bytes.writeUInt32LE(length - GROUP_LENGTH_BYTES, ELEMENT_HEADER_BYTES)
  let offset = GROUP_LENGTH_BYTES
  for (const [element, value] of values) {
    const valueAt = offset + ELEMENT_HEADER_BYTES
    bytes.writeUInt16LE(element, offset + 2)
    if (typeof value === 'number') offset = bytes.writeUInt16LE(value, valueAt)
    else offset = valueAt + bytes.write(value, valueAt, 'latin1')
    bytes.writeUInt32LE(offset - valueAt, valueAt - 4)
  }
  return bytes
}

function padText(vr: string, value: string): string {
  const text = vr === 'LO' ? value.replace(/[^\x20-\x5b\x5d-\x7e]/g, '?').slice(0, MAX_COMMENT_CHARS) : value
  return text.length % 2 === 0 ? text : text + (vr === 'UI' ? '\0' : ' ')
}

/**
 * Reads a command set; elements that nobody here asks for are passed over.
 * @throws DimseError protocol
 */
export function decodeCommand(bytes: Buffer): Command {
  const command: Record<string, string | number> = {}
  let offset = 0
  while (offset < bytes.length) {
    if (offset + 8 > bytes.length) throw malformed()
    const group = bytes.readUInt16LE(offset)
    const element = bytes.readUInt16LE(offset + 2)
    const end = offset + 8 + bytes.readUInt32LE(offset + 4)
    if (group !== 0 || end > bytes.length) throw malformed()
    const name = names.get(element)
    if (name) {
      const value = decodeValue(elements[name].vr, bytes.subarray(offset + 8, end))
      if (value !== undefined) command[name] = value
    }
    offset = end
  }
  if (typeof command['field'] !== 'number') throw malformed()
  // each value came out of the element of its own name
  return command as Command
}

function decodeValue(vr: string, value: Buffer): string | number | undefined {
  if (vr === 'US') return value.length >= 2 ? value.readUInt16LE(0) : undefined
  const text = value.toString('latin1').replace(/[\0 ]+$/, '')
  return vr === 'UI' ? text : text.trimStart()
}

/** The beginning of the response to a request; what a request calls requested, its response calls affected. */
export function responseTo(request: Command): Command {
  const { field = 0, messageId } = request
  const affectedSopClass = request.affectedSopClass ?? request.requestedSopClass
  const affectedSopInstance = request.affectedSopInstance ?? request.requestedSopInstance
  const { eventTypeId, actionTypeId } = request
  const named = { affectedSopClass, affectedSopInstance, eventTypeId, actionTypeId }
  return { field: field | RESPONSE, respondsTo: messageId ?? 0, ...named } as Command
}

export function isResponse(command: Command): boolean {
  return ((command.field ?? 0) & RESPONSE) !== 0
}

function malformed(): DimseError {
  return new DimseError('protocol', 'A command set is malformed')
}
