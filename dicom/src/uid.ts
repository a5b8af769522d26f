import { MAX_ACCEPTED_UID_CHARS, MAX_UID_CHARS } from './limits.ts'

/** Whether a UID follows PS3.5 §9.1: digits and dots, no component with a leading zero, at most 64 characters. */
export function isStandardUid(uid: string): boolean {
  return uid.length <= MAX_UID_CHARS && /^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*$/.test(uid)
}

/**
 * Whether an arriving identifier is taken as a UID. UIDs are opaque text (letters exist in the wild), but they stand
 * in addresses, file names and DIMSE queries: so no separators, wildcards or blanks, and not dots alone.
 */
export function isAcceptableUid(uid: string): boolean {
  return uid.length <= MAX_ACCEPTED_UID_CHARS && /^[0-9A-Za-z][0-9A-Za-z._-]*$/.test(uid)
}

/**
 * A new UID under `root`, or without one 2.25 followed by a random UUID as an integer (PS3.5 §B.2).
 * @throws RangeError when the root leaves no room for 20 random digits
 */
export function newUid(root?: string): string {
  if (!root) return `2.25.${uuidAsInteger(crypto.randomUUID())}`
  const prefix = root.endsWith('.') ? root.slice(0, -1) : root
  if (!isStandardUid(prefix)) throw new RangeError('The UID root is not a UID')
  const digits = Math.min(38, MAX_UID_CHARS - prefix.length - 1)
  if (digits < 20) throw new RangeError('The UID root is too long')
  return `${prefix}.${randomDigits(digits)}`
}

function uuidAsInteger(uuid: string): bigint {
  return BigInt(`0x${uuid.replaceAll('-', '')}`)
}

function randomDigits(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  const text = number.toString().padStart(58, '0').slice(-count)
  // A component may not begin with a zero.
  return text.startsWith('0') ? `1${text.slice(1)}` : text
}
