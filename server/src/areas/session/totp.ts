import { randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { digestOf } from '../../access/sid.ts'

/** Clocks of phones go wrong by less; a code is taken from one step before to one step after. */
const toleranceSeconds = 30
/** As every authenticator app shows them: 6 digits, a new code every 30 seconds, SHA-1 (RFC 6238). */
const codeForm = /^\d{6}$/

/** @returns a new secret in base32 */
export function newTotpSecret(): string {
  return generateSecret()
}

/** The address that an authenticator app reads from a QR code. */
export function totpAddress(secret: string, person: { email: string; issuer: string }): string {
  // a colon parts issuer and login in the address
  return generateURI({ secret, label: person.email, issuer: person.issuer.replaceAll(':', ' ') })
}

/**
 * The time step of a right code; undefined when the code is wrong, or not later than the last one that was taken.
 * @param lastStep 0 before the first code
 * @param now milliseconds
 */
export function findTotpStep(secret: string, code: string, lastStep: number, now: number): number | undefined {
  if (!codeForm.test(code)) return undefined
  const found = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now / 1000),
    epochTolerance: toleranceSeconds,
    ...(lastStep > 0 ? { afterTimeStep: lastStep } : {}),
  })
  return found.valid && 'timeStep' in found ? found.timeStep : undefined
}

/** Codes that a person is given at once; each works once. */
const recoveryCodes = 10
/** 80 bits: too many to try, so that a plain digest keeps them. */
const recoveryBytes = 10
const letters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Codes like `k7mp-x2ha-9qcd-wtb4`, without letters that are taken for others. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const bits = BigInt(`0x${randomBytes(recoveryBytes).toString('hex')}`)
    const signs = Array.from({ length: 16 }, (_, at) => letters[Number((bits >> BigInt(at * 5)) & 31n)])
    return signs.join('').replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** Kept instead of the code; spaces, hyphens and capitals make no difference. */
export function digestOfRecoveryCode(code: string): Buffer {
  return digestOf(`recovery ${code.toLowerCase().replace(/[\s-]/g, '')}`)
}
