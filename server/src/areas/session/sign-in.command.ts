import { randomUUID } from 'node:crypto'
import { maxSessionsPerUser, sessionIdleMinutes } from '@hilum/contract/limits'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { changePassword } from '../user/change-password.command.ts'
import { isPasswordOf } from '../user/password-hash.ts'
import { lockPasswordHash } from '../user/password.sql.ts'
import { perAddress, perLogin } from './attempt-rules.ts'
import { forgetAttempts, giveBackAttempt, mayAttempt } from './attempt.sql.ts'
import { endOldestSessions } from './end-sessions.sql.ts'
import { addSession, findLogin, type LoginRow, noteLogin } from './sign-in.sql.ts'

/** A session ends after this long even when it is always in use. */
const sessionLifeMinutes = 7 * 24 * 60

export interface SignIn {
  login: string
  password: string
  vanity: string
  newPassword: string
  clientAddress: string
}
export type SignedIn =
  | { kind: 'in'; sid: string; userUuid: string; name: string }
  | { kind: 'refused'; code: 'INVALID_CREDENTIALS' | 'LOCKOUT' | 'DISABLED' | 'PASSWORD_RESET' | 'BAD_PASSWORD' }

/**
 * Opens a session for a login and password. What is wrong is told only to who knows the password: before that, an
 * unknown name, a disabled user and a wrong password read and take the same.
 */
export async function signIn(services: Services, sent: SignIn): Promise<SignedIn> {
  const { db } = services
  const user = await findLogin(db, sent.login.trim(), sent.vanity.trim())
  const byLogin = digestOf(user?.uuid ?? sent.login.trim().toLowerCase())
  const byAddress = digestOf(sent.clientAddress)
  const mayTry =
    (await mayAttempt(db, 'login-address', byAddress, perAddress)) && (await mayAttempt(db, 'login', byLogin, perLogin))
  // not put on record: the failures that led here are, and a flood must not write
  if (!mayTry) return { kind: 'refused', code: 'LOCKOUT' }
  if (!(await isPasswordOf(user?.password_hash, sent.password)) || !user) {
    return refuse(services, sent, user, 'INVALID_CREDENTIALS')
  }
  await giveBackAttempt(db, 'login-address', byAddress)
  await forgetAttempts(db, 'login', byLogin)
  if (user.disabled) return refuse(services, sent, user, 'DISABLED')
  if (user.password_expired && !sent.newPassword) return refuse(services, sent, user, 'PASSWORD_RESET')
  return openSession(services, sent, user)
}

async function openSession(services: Services, sent: SignIn, user: LoginRow): Promise<SignedIn> {
  const sid = newSid()
  return services.db.transaction().execute(async (tx): Promise<SignedIn> => {
    // the row's lock makes two sign-ins at once count each other's session
    const passwordHash = await lockPasswordHash(tx, user.uuid)
    if (passwordHash !== user.password_hash) return { kind: 'refused', code: 'INVALID_CREDENTIALS' }
    if (sent.newPassword && !(await changePassword(tx, user.uuid, sent.newPassword))) {
      return { kind: 'refused', code: 'BAD_PASSWORD' }
    }
    const sessionUuid = randomUUID()
    const idleMinutes = Math.min(user.idle_minutes ?? sessionIdleMinutes, sessionIdleMinutes)
    await addSession(tx, {
      uuid: sessionUuid,
      sidDigest: digestOf(sid),
      userUuid: user.uuid,
      idleMinutes,
      lifeMinutes: sessionLifeMinutes,
    })
    await endOldestSessions(tx, user.uuid, maxSessionsPerUser)
    await noteLogin(tx, user.uuid)
    await writeAudit(tx, {
      accountUuid: user.account_uuid,
      caller: { userUuid: user.uuid, name: user.name, clientAddress: sent.clientAddress },
      action: 'LOGIN',
      type: 'User',
      objectUuid: user.uuid,
      ...(sent.newPassword ? { detail: { password_changed: 1 } } : {}),
    })
    return { kind: 'in', sid, userUuid: user.uuid, name: user.name }
  })
}

/** Puts the failure on record. What was typed is kept as a digest only: people type passwords into the name field. */
async function refuse(
  { db }: Services,
  sent: SignIn,
  user: LoginRow | undefined,
  code: (SignedIn & { kind: 'refused' })['code'],
): Promise<SignedIn> {
  const login = digestOf(sent.login.trim().toLowerCase()).toString('hex')
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
