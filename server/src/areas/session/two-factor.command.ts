import type { AuditAct } from '@hilum/contract/audit-acts'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { resetTwoFactorMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { perLogin, perPin, perPinSession } from './attempt-rules.ts'
import { forgetAttempts, mayAttempt } from './attempt.sql.ts'
import { endSession } from './end-sessions.sql.ts'
import { endOwnSessions } from './open-sessions.sql.ts'
import { noteProof, type PinSession } from './pin-session.sql.ts'
import { lockPerson } from './sign-in.sql.ts'
import { digestOfRecoveryCode, findTotpStep, newRecoveryCodes, newTotpSecret, totpAddress } from './totp.ts'
import {
  confirmSecret,
  deleteTwoFactor,
  lockTwoFactor,
  noteStep,
  putPendingSecret,
  putRecoveryCodes,
  useRecoveryCode,
} from './two-factor.sql.ts'

/** Time to bring a new secret into an authenticator app. */
const setUpMinutes = 15

type Person = Pick<PinSession, 'user_uuid' | 'user_name' | 'account_uuid'>
type At = { clientAddress: string }

/** Whether a code may be tried: counted before it is looked at, for the session, the person here, and the person everywhere. */
export async function mayTryPin(
  { db }: Pick<Services, 'db'>,
  session: { uuid: string; user_uuid: string; waits_for: string | null },
  { clientAddress }: At,
): Promise<'yes' | 'locked' | 'too often'> {
  const isWaiting = session.waits_for === 'pin'
  if (isWaiting && !(await mayAttempt(db, 'pin-session', digestOf(session.uuid), perPinSession))) {
    await endSession(db, session.uuid)
    return 'too often'
  }
  const here = digestOf(`${session.user_uuid} ${addressKey(clientAddress)}`)
  if (!(await mayAttempt(db, 'pin', here, perLogin))) return 'locked'
  return (await mayAttempt(db, 'pin-person', digestOf(session.user_uuid), perPin)) ? 'yes' : 'locked'
}

/** The code was right: earlier wrong ones count no more. */
async function forgetPins(tx: Tx, userUuid: string, { clientAddress }: At): Promise<void> {
  await forgetAttempts(tx, 'pin', digestOf(`${userUuid} ${addressKey(clientAddress)}`))
  await forgetAttempts(tx, 'pin-person', digestOf(userUuid))
}

/**
 * Takes a code of the app, or one of the recovery codes; each is taken once.
 * @returns how it was proven; undefined when the code is wrong
 */
export async function takePin(
  { sealer, log }: Pick<Services, 'sealer' | 'log'>,
  tx: Tx,
  userUuid: string,
  code: string,
  at: At,
): Promise<'totp' | 'recovery' | undefined> {
  const row = await lockTwoFactor(tx, userUuid)
  if (!row?.sealed_secret) return undefined
  const secret = sealer.open(row.sealed_secret, userUuid)
  if (secret === undefined) log.error({ event: 'two-factor secret not readable', user: userUuid })
  const step = secret === undefined ? undefined : findTotpStep(secret, withoutSpaces(code), row.last_step, Date.now())
  if (step !== undefined) await noteStep(tx, userUuid, step)
  else if (!(await useRecoveryCode(tx, userUuid, digestOfRecoveryCode(code)))) return undefined
  await forgetPins(tx, userUuid, at)
  return step === undefined ? 'recovery' : 'totp'
}

/** Puts a wrong code on record; the same answer takes a moment, so that guessing is slow. */
export async function refusePin({ db }: Pick<Services, 'db'>, session: Person, at: At): Promise<void> {
  await writeAudit(db, {
    accountUuid: session.account_uuid,
    caller: undefined,
    action: 'LOGIN_FAILED',
    type: 'User',
    objectUuid: session.user_uuid,
    detail: { reason: 'INVALID_PIN', client_address: at.clientAddress },
  })
  await setTimeout(wrongPinMs)
}
const wrongPinMs = 250

/** A new secret for an authenticator app, not in force before a code of it was entered. */
export async function beginTwoFactor(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  session: PinSession,
): Promise<{ secret: string; address: string }> {
  const secret = newTotpSecret()
  await putPendingSecret(db, session.user_uuid, sealer.seal(secret, session.user_uuid), setUpMinutes)
  const issuer = session.account_name ? `Hilum (${session.account_name})` : 'Hilum'
  return { secret, address: totpAddress(secret, { email: session.user_email, issuer }) }
}

/** Opens a session that waited; false where its time is over. */
type FinishSignIn = (tx: Tx, session: PinSession, at: At, how: { secondFactor: string }) => Promise<boolean>

/**
 * Puts the secret that was begun in force, by a first code of it, and opens a session that waited for it.
 * @returns the recovery codes, told this once; or why there are none
 */
export async function confirmTwoFactor(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  session: PinSession,
  code: string,
  at: At,
  finish: FinishSignIn,
): Promise<readonly string[] | 'wrong' | 'expired'> {
  return db.transaction().execute(async (tx) => {
    await lockPerson(tx, session.user_uuid)
    const row = await lockTwoFactor(tx, session.user_uuid)
    // by a password alone nobody replaces what was set up since
    if (session.waits_for !== null && row?.sealed_secret) return 'expired'
    const secret = row?.pending_secret ? sealer.open(row.pending_secret, session.user_uuid) : undefined
    if (secret === undefined) return 'expired'
    const step = findTotpStep(secret, withoutSpaces(code), 0, Date.now())
    if (step === undefined) return 'wrong'
    await confirmSecret(tx, session.user_uuid, step)
    const codes = await replaceCodes(tx, session.user_uuid)
    await forgetPins(tx, session.user_uuid, at)
    await audit(tx, session, at, 'TWO_FACTOR_ON')
    // whatever a password alone has opened; those that wait open nothing without a code of the new secret
    const ended = await endOwnSessions(tx, session.user_uuid, { but: session.uuid, isOpenAlone: true })
    if (ended > 0) await audit(tx, session, at, 'SESSIONS_ENDED', { sessions: ended, because: 'TWO_FACTOR' })
    if (session.waits_for === null) await noteProof(tx, session.uuid, 'two factors')
    else if (!(await finish(tx, session, at, { secondFactor: 'totp' }))) return 'expired'
    return codes
  })
}

/** New recovery codes instead of the old ones; undefined while there is no second factor. */
export async function renewRecoveryCodes(tx: Tx, person: Person, at: At): Promise<readonly string[] | undefined> {
  const row = await lockTwoFactor(tx, person.user_uuid)
  if (!row?.sealed_secret) return undefined
  await audit(tx, person, at, 'RECOVERY_CODES')
  return replaceCodes(tx, person.user_uuid)
}

/** Takes the second factor off. False when there was none. */
export async function removeTwoFactor(tx: Tx, person: Person, at: At): Promise<boolean> {
  if (!(await deleteTwoFactor(tx, person.user_uuid))) return false
  await audit(tx, person, at, 'TWO_FACTOR_OFF')
  return true
}

/** Tells a person that somebody else took the second factor off. */
export async function tellOfReset(tx: Tx, accountUuid: string, recipient: string): Promise<void> {
  await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...resetTwoFactorMail() })
}

async function replaceCodes(tx: Tx, userUuid: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await putRecoveryCodes(tx, userUuid, codes.map(digestOfRecoveryCode))
  return codes
}

function withoutSpaces(code: string): string {
  return code.replace(/\s/g, '')
}

function audit(tx: Tx, person: Person, at: At, action: AuditAct, detail: Record<string, unknown> = {}): Promise<void> {
  return writeAudit(tx, {
    accountUuid: person.account_uuid,
    caller: { userUuid: person.user_uuid, name: person.user_name, clientAddress: at.clientAddress },
    action,
    type: 'User',
    objectUuid: person.user_uuid,
    detail,
  })
}
