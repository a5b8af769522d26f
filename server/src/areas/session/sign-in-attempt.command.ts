import { setTimeout } from 'node:timers/promises'
import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import type { Database, Db } from '../../db/database.ts'
import { perAddress, perLogin, perName, waitOf } from './attempt-rules.ts'
import {
  countAttempt,
  forgetAttempts,
  giveBackAttempt,
  isKnownPlace,
  mayAttempt,
  noteKnownPlace,
} from './attempt.sql.ts'

/**
 * The identity that somebody tries to sign in with: the folded name as it was typed, and the person behind it if there
 * is one.
 */
interface Tried {
  login: string
  userUuid: string | undefined
}

/**
 * - `open`: the password is looked at.
 * - `locked`: answered as locked, whatever the password.
 * - `hopeless`: answered as a wrong password, whatever the password. The person is locked out from this address by another
 *   of the person's names; to say so would tell that both are one person's.
 * - `from a known place`: the address is locked, but this person has signed in from it before. Answered as locked unless
 *   the password is right.
 */
type SignInAttempt = 'open' | 'locked' | 'hopeless' | 'from a known place'

/**
 * Counts a try to sign in and says what may come of it. Locks hold for a name from one address only, so that nobody
 * locks out somebody elsewhere. A name tried from everywhere makes each try wait, and a right password still gets in.
 */
export async function beginSignIn(db: Database, tried: Tried, clientAddress: string): Promise<SignInAttempt> {
  const keys = keysOf(tried, clientAddress)
  const isOpen = await mayAttempt(db, 'login-address', keys.address, perAddress)
  if (!isOpen && !(await isKnownPlace(db, keys.person))) return 'locked'
  if (!(await mayAttempt(db, 'login', keys.name, perLogin))) return 'locked'
  const isHopeful = await mayAttempt(db, 'login-person', keys.person, perLogin)
  const failures = (await countAttempt(db, 'login-name', digestOf(tried.login), perName)) ?? 0
  await setTimeout(waitOf(failures))
  if (!isOpen) return isHopeful ? 'from a known place' : 'locked'
  return isHopeful ? 'open' : 'hopeless'
}

/** The password was right: the try does not count, and the place is known from now on. */
export async function endSignIn(
  db: Db,
  tried: { login: string; userUuid: string },
  clientAddress: string,
): Promise<void> {
  const keys = keysOf(tried, clientAddress)
  await giveBackAttempt(db, 'login-address', keys.address)
  await giveBackAttempt(db, 'login-name', digestOf(tried.login))
  await forgetFailures(db, tried, clientAddress)
  await noteKnownPlace(db, keys.person)
}

/** Ends the locks of a person at an address. */
export async function forgetFailures(
  db: Db,
  tried: { login: string; userUuid: string },
  clientAddress: string,
): Promise<void> {
  const keys = keysOf(tried, clientAddress)
  await forgetAttempts(db, 'login', keys.name)
  await forgetAttempts(db, 'login-person', keys.person)
}

function keysOf({ login, userUuid }: Tried, clientAddress: string) {
  const address = addressKey(clientAddress)
  const name = digestOf(`${login} ${address}`)
  return {
    address: digestOf(address),
    name,
    // a name that nobody has is counted in the same way, so that it takes the same
    person: userUuid ? digestOf(`${userUuid} ${address}`) : name,
  }
}
