import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** argon2id, which is the library's default, with the memory and passes that OWASP names as the least. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
let nobodysHash: Promise<string> | undefined

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/**
 * True when the password is the one behind the hash. Without a hash – nobody has that name – it takes the same time
 * and is false, so that the time tells nothing about who exists.
 */
export async function isPasswordOf(passwordHash: string | undefined, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword(randomBytes(16).toString('hex'))
  const matches = await verify(passwordHash ?? (await nobodysHash), password)
  return matches && passwordHash !== undefined
}
