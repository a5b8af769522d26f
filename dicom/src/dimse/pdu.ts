import { DimseError, type Rejection } from './dimse-error.ts'

/** The protocol data units of PS3.8 §9.3 by their type byte. */
export const pduNames = {
  1: 'associate-rq',
  2: 'associate-ac',
  3: 'associate-rj',
  4: 'data',
  5: 'release-rq',
  6: 'release-rp',
  7: 'abort',
} as const

export type PduName = (typeof pduNames)[keyof typeof pduNames]

/** Reasons of an abort by the upper layer (PS3.8 §9.3.8). */
export const abortReasons = { notSpecified: 0, unrecognized: 1, unexpected: 2, unrecognizedParameter: 4, invalid: 6 }

export const PDU_HEADER_BYTES = 6
/** Length, context and control byte of a presentation data value. */
export const FRAGMENT_HEADER_BYTES = 6
/** Room of the longest request that 128 contexts with every syntax need, many times over. */
const MAX_ASSOCIATE_BYTES = 1024 * 1024
const FIXED_BYTES = 4

/**
 * Type and length of the PDU that begins with these six bytes.
 * @throws DimseError protocol when it is longer than we take
 */
export function readPduHeader(bytes: Uint8Array, maxDataBytes: number): { name: PduName | undefined; length: number } {
  const type = bytes[0] as keyof typeof pduNames
  const name: PduName | undefined = pduNames[type]
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2)
  if (name && !isLengthTaken(name, length, maxDataBytes)) {
    throw new DimseError('protocol', `A PDU of type ${type} has a length of ${length}, which is not allowed`)
  }
  return { name, length }
}

function isLengthTaken(name: PduName, length: number, maxDataBytes: number): boolean {
  if (name === 'data') return length >= FRAGMENT_HEADER_BYTES && length <= maxDataBytes
  if (name === 'associate-rq' || name === 'associate-ac') return length <= MAX_ASSOCIATE_BYTES
  return length === FIXED_BYTES
}

export function encodePdu(type: keyof typeof pduNames, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(PDU_HEADER_BYTES + body.length)
  bytes[0] = type
  bytes.writeUInt32BE(body.length, 2)
  bytes.set(body, PDU_HEADER_BYTES)
  return bytes
}

export function encodeRejection({ result, source, reason }: Rejection): Buffer {
  return encodePdu(3, Uint8Array.of(0, result, source, reason))
}

export function encodeReleaseRequest(): Buffer {
  return encodePdu(5, new Uint8Array(FIXED_BYTES))
}

export function encodeReleaseReply(): Buffer {
  return encodePdu(6, new Uint8Array(FIXED_BYTES))
}

/** @param reason one of `abortReasons` when the upper layer breaks off, undefined when its user does */
export function encodeAbort(reason: number | undefined): Buffer {
  return encodePdu(7, Uint8Array.of(0, 0, reason === undefined ? 0 : 2, reason ?? 0))
}

/** A piece of a command or of a data set, as its control byte describes it. */
export type PdvFragment = { contextId: number; isCommand: boolean; isLast: boolean }

/** The headers before the bytes of one fragment that is a PDU of its own. */
export function encodeFragmentHeader(
  contextId: number,
  { isCommand, isLast, length }: { isCommand: boolean; isLast: boolean; length: number },
): Buffer {
  const bytes = Buffer.alloc(PDU_HEADER_BYTES + FRAGMENT_HEADER_BYTES)
  bytes[0] = 4
  bytes.writeUInt32BE(length + FRAGMENT_HEADER_BYTES, 2)
  bytes.writeUInt32BE(length + 2, PDU_HEADER_BYTES)
  bytes[10] = contextId
  bytes[11] = (isCommand ? 1 : 0) | (isLast ? 2 : 0)
  return bytes
}
