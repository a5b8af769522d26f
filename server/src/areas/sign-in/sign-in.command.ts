import { setTimeout } from 'node:timers/promises'
import { foldLogin } from '@hilum/contract/fold-login'
import type { PasswordFault } from '@hilum/contract/password-rule'
import { digestOf } from '../../access/sid.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changePassword, findNewPasswordFault } from '../user/change-password.command.ts'
import { hashPassword, isPasswordOf } from '../user/password-hash.ts'
import { lockPasswordHash } from '../user/password.sql.ts'
import { addWaitingSession, openSession, sessionLifeMinutes } from '../session/open-session.command.ts'
import type { WaitsFor } from '../session/pin-session.sql.ts'
import { beginSignIn, endSignIn } from '../session/sign-in-attempt.command.ts'
import { isProviderAlone } from '../session/ended-sign-in.sql.ts'
import { isRemembered } from '../session/remembered-device.sql.ts'
import { findLogin, type LoginRow } from '../session/sign-in.sql.ts'
import { findTwoFactorState } from '../session/two-factor.sql.ts'

/** Longer than a password takes to be looked at. */
const lockedAnswerMs = 250

interface SignIn {
  login: string
  password: string
  vanity: string
  newPassword: string
  clientAddress: string
  userAgent: string
  /** The secret of the browser's cookie, by which a person may pass without a code there. */
  device?: string | undefined
}
type SignedIn =
  /** @param waitsFor what is missing before the session opens anything */
  | { kind: 'in'; sid: string; sessionUuid: string; userUuid: string; name: string; waitsFor?: WaitsFor }
  | { kind: 'refused'; code: 'INVALID_CREDENTIALS' | 'LOCKOUT' | 'DISABLED' | 'PASSWORD_RESET' | 'SSO_ONLY' }
  | { kind: 'refused'; code: 'BAD_PASSWORD'; fault: PasswordFault }

/** Opens a session for a login and password, with a new password where the old one has run out. */
export async function signIn(services: Services, sent: SignIn): Promise<SignedIn> {
  const checked = await checkPassword(services, sent)
  if (checked.kind === 'refused') return checked
  const { user } = checked
  if (user.password_expired && !sent.newPassword) return refuse(services, sent, user, 'PASSWORD_RESET')
  const outcome = await services.db.transaction().execute(async (tx): Promise<SignedIn> => {
    if (!(await isPasswordStill(tx, user))) return { kind: 'refused', code: 'INVALID_CREDENTIALS' }
    if (await isProviderAlone(tx, user.uuid)) return { kind: 'refused', code: 'SSO_ONLY' }
    const how = { ...sent, method: 'password', lifeMinutes: sessionLifeMinutes } as const
    const waits = await findWait(tx, user.uuid)
    const passes = waits === 'pin' && (await isPassing(tx, user.uuid, sent))
    const waitsFor = passes ? undefined : waits
    const whose = { userUuid: user.uuid, name: user.name }
    if (waitsFor) {
      const fault = sent.newPassword ? await findNewPasswordFault(tx, user.uuid, sent.newPassword) : undefined
      if (fault) return { kind: 'refused', code: 'BAD_PASSWORD', fault }
      // in force with the second factor alone: whoever knows a password and no more must not shut its owner out
      const newPasswordHash = sent.newPassword ? await hashPassword(sent.newPassword) : undefined
      const opened = await addWaitingSession(tx, user, how, { waitsFor, newPasswordHash })
      return { kind: 'in', ...opened, ...whose, waitsFor }
    }
    const fault = sent.newPassword ? await changePassword(tx, user.uuid, sent.newPassword) : undefined
    if (fault) return { kind: 'refused', code: 'BAD_PASSWORD', fault }
    // the password alone proves nothing where a second factor is asked for
    const opened = await openSession(tx, user, passes ? { ...how, provenAt: 0 } : how, {
      ...(sent.newPassword ? { password_changed: 1 } : {}),
      ...(passes ? { second_factor: 'remembered device' } : {}),
    })
    return { kind: 'in', ...opened, ...whose }
  })
  return noteTooLate(services, sent, user, outcome)
}

/**
 * Opens a session of a program that sends a person's login and password. A password that has run out opens none, nor
 * does one beside which a second factor is asked for: such a person's programs have keys.
 */
export async function signInProgram(
  services: Services,
  sent: Omit<SignIn, 'vanity' | 'newPassword' | 'device'>,
  how: { method: 'basic' | 'oauth'; lifeMinutes: number },
): Promise<SignedIn | { kind: 'refused'; code: 'PIN_REQUIRED' }> {
  const all = { ...sent, vanity: '', newPassword: '' }
  const checked = await checkPassword(services, all)
  if (checked.kind === 'refused') return checked
  const { user } = checked
  if (user.password_expired) return refuse(services, all, user, 'PASSWORD_RESET')
  if (await findWait(services.db, user.uuid)) return refuse(services, all, user, 'PIN_REQUIRED')
  const outcome = await services.db.transaction().execute(async (tx): Promise<SignedIn> => {
    if (!(await isPasswordStill(tx, user))) return { kind: 'refused', code: 'INVALID_CREDENTIALS' }
    if (await isProviderAlone(tx, user.uuid)) return { kind: 'refused', code: 'SSO_ONLY' }
    const opened = await openSession(tx, user, { ...sent, ...how })
    return { kind: 'in', ...opened, userUuid: user.uuid, name: user.name }
  })
  return noteTooLate(services, all, user, outcome)
}

/** Puts on record a password that was right, and came too late: its account asks for the provider since. */
function noteTooLate(services: Services, sent: SignIn, user: LoginRow, outcome: SignedIn): Promise<SignedIn> {
  const isLate = outcome.kind === 'refused' && outcome.code === 'SSO_ONLY'
  return isLate ? refuse(services, sent, user, 'SSO_ONLY') : Promise.resolve(outcome)
}

/**
 * The person of a login and a password. The reason of a refusal is given only to somebody who knows the password: before
 * that, an unknown name, a disabled user and a wrong password read and take the same.
 */
async function checkPassword(
  services: Services,
  sent: SignIn,
): Promise<{ kind: 'right'; user: LoginRow } | Extract<SignedIn, { kind: 'refused' }>> {
  const { db } = services
  const startedAt = performance.now()
  const login = foldLogin(sent.login)
  const user = await findLogin(db, login, sent.vanity.trim())
  const attempt = await beginSignIn(db, { login, userUuid: user?.uuid }, sent.clientAddress)
  // not put on record: the failures that led here are, and a flood must not write
  if (attempt === 'locked') return endLocked(startedAt)
  const isRight = await isPasswordOf(attempt === 'hopeless' ? undefined : user?.password_hash, sent.password)
  if (!isRight || !user) {
    if (attempt === 'from a known place') return endLocked(startedAt)
    return refuse(services, sent, user, 'INVALID_CREDENTIALS')
  }
  await endSignIn(db, { login, userUuid: user.uuid }, sent.clientAddress)
  if (user.disabled) return refuse(services, sent, user, 'DISABLED')
  return user.sso_only ? refuse(services, sent, user, 'SSO_ONLY') : { kind: 'right', user }
}

/** Whether the password that was looked at is the one of now; locks the person's row. */
async function isPasswordStill(tx: Tx, user: LoginRow): Promise<boolean> {
  return (await lockPasswordHash(tx, user.uuid)) === user.password_hash
}

/** Answers after the same time whether or not a password was looked at. */
async function endLocked(startedAt: number): Promise<{ kind: 'refused'; code: 'LOCKOUT' }> {
  await setTimeout(Math.max(0, lockedAnswerMs - (performance.now() - startedAt)))
  return { kind: 'refused', code: 'LOCKOUT' }
}

/** The proof that a person's sign-in asks for beside the password. */
async function findWait(db: Db, userUuid: string): Promise<WaitsFor | undefined> {
  const { is_on: isOn, is_required: isRequired } = await findTwoFactorState(db, userUuid)
  if (isOn) return 'pin'
  return isRequired ? 'setup' : undefined
}

/** A remembered device passes nobody who brings a new password: the change asks for the code. */
async function isPassing(tx: Tx, userUuid: string, { device, clientAddress, newPassword }: SignIn): Promise<boolean> {
  return device && !newPassword ? isRemembered(tx, userUuid, digestOf(device), clientAddress) : false
}

type Refusal = 'INVALID_CREDENTIALS' | 'DISABLED' | 'SSO_ONLY' | 'PASSWORD_RESET' | 'PIN_REQUIRED'

/** Puts the failure on record. The typed name is stored as a digest only: people type passwords into the name field. */
async function refuse<Code extends Refusal>(
  { db }: Services,
  sent: SignIn,
  user: LoginRow | undefined,
  code: Code,
): Promise<{ kind: 'refused'; code: Code }> {
  const login = digestOf(foldLogin(sent.login)).toString('hex')
  await writeAudit(db, {
    accountUuid: user?.account_uuid ?? null,
    caller: undefined,
    action: 'LOGIN_FAILED',
    type: 'User',
    ...(user ? { objectUuid: user.uuid } : {}),
    detail: { reason: code, client_address: sent.clientAddress, ...(user ? {} : { login_digest: login }) },
  })
  return { kind: 'refused', code }
}
