import { randomBytes } from 'node:crypto'

/** A secret of 256 bits, as text to paste. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
