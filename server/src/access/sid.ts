import { createHash, randomBytes } from 'node:crypto'

/** A new session token: 256 random bits, safe in an address. Only its digest is ever kept. */
export function newSid(): string {
  return randomBytes(32).toString('base64url')
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Hex MD5 of a sid: what websocket events carry to name a subscriber without giving the token away. */
export function md5Of(sid: string): string {
  return createHash('md5').update(sid).digest('hex')
}
