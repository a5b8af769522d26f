import { createHmac } from 'node:crypto'

/** A patient and a study as one recipient knows them; the same question has the same answer as long as the place has its secret. */
export type Pseudonyms = {
  /** Name and number of the patient. */
  pseudonym: string
  /** Days that all dates of the patient are moved by: into the past, by one day to ten years. */
  days: number
  uidOf: (uid: string) => string
}

const MOST_DAYS = 3650
/** Letters and digits that nobody takes for one another. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const PSEUDONYM_LETTERS = 10

/**
 * Pseudonyms of one patient for one recipient, by HMAC-SHA-256 with the secret of the sender's place: without the secret
 * nobody finds the way back, and two recipients have nothing in common.
 * @param patient what tells the patient from others in the place
 * @param uidRoot root of the installation's UIDs; without one they stand under 2.25
 */
export function pseudonymsOf(
  secret: Uint8Array,
  recipient: string,
  patient: string,
  uidRoot: string | undefined,
): Pseudonyms {
  const of = digesterOf(secret, recipient)
  const digest = of('patient', patient)
  const letters = [...digest.subarray(0, PSEUDONYM_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length])
  return {
    pseudonym: `ANON-${letters.join('')}`,
    days: -1 - (of('days', patient).readUInt32BE(0) % MOST_DAYS),
    uidOf: uidsOf(secret, recipient, uidRoot),
  }
}

/** The UIDs that stand for others in the copies for one recipient, whoever the patient is. */
export function uidsOf(secret: Uint8Array, recipient: string, uidRoot: string | undefined): Pseudonyms['uidOf'] {
  const of = digesterOf(secret, recipient)
  return (uid) => {
    const number = BigInt(`0x${of('uid', uid).toString('hex', 0, 16)}`)
    return uidRoot ? `${uidRoot}.${String(number).slice(0, 63 - uidRoot.length)}` : `2.25.${number}`
  }
}

function digesterOf(secret: Uint8Array, recipient: string) {
  return (kind: string, text: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, foldRecipient(recipient), text]))
      .digest()
}

/** One recipient, however its name was typed. */
function foldRecipient(recipient: string): string {
  return recipient.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
