import { randomUUID } from 'node:crypto'
import { maxSessionsPerUser, sessionIdleMinutes } from '@hilum/contract/limits'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { endOldestSessions } from './end-sessions.sql.ts'
import { endOldestWaiting, type WaitsFor } from './pin-session.sql.ts'
import { addSession, type LoginRow, type NewSession, noteLogin, type SessionMethod } from './sign-in.sql.ts'

/** A session ends after this long even when it is always in use. */
export const sessionLifeMinutes = 7 * 24 * 60
/** Time for the second factor, and to set one up. */
const waitMinutes = { pin: 10, setup: 30 } as const

interface OpenedLogin {
  sid: string
  sessionUuid: string
}

type User = Pick<LoginRow, 'uuid' | 'name' | 'account_uuid' | 'idle_minutes' | 'max_sessions'>
type How = {
  method: Exclude<SessionMethod, 'key' | 'proxy'>
  lifeMinutes: number
  clientAddress: string
  userAgent: string
  /** One factor unless said. */
  strength?: 'one factor' | 'two factors'
  providerUuid?: string
  providerProof?: object
  /** When it was proven who sits there, in seconds since 1970; now unless said. */
  provenAt?: number
}

/**
 * Opens a session for a person of whom it is proven who it is, however that was done. The caller holds the person's row
 * locked, so that two sign-ins at once count each other's session.
 */
export async function openSession(
  tx: Tx,
  user: User,
  how: How,
  detail: Record<string, unknown> = {},
): Promise<OpenedLogin> {
  const { method, clientAddress } = how
  const opened = await add(tx, user, how)
  await endOldestSessions(
    tx,
    user.uuid,
    method === 'password' || method === 'sso' ? 'screens' : 'programs',
    mostSessions(user),
  )
  await noteLogin(tx, user.uuid)
  await writeAudit(tx, {
    accountUuid: user.account_uuid,
    caller: { userUuid: user.uuid, name: user.name, clientAddress },
    action: 'LOGIN',
    type: 'User',
    objectUuid: user.uuid,
    detail: { ...detail, ...(method === 'password' ? {} : { method }) },
  })
  return opened
}

/** How many sessions of a kind stay open at once: the fewest that an account leaves the person. */
export function mostSessions({ max_sessions: most }: Pick<User, 'max_sessions'>): number {
  return Math.min(most ?? maxSessionsPerUser, maxSessionsPerUser)
}

/** Makes a session that opens nothing yet, for a person whose password is right; two-factor.command.ts opens it. */
export async function addWaitingSession(
  tx: Tx,
  user: User,
  how: How,
  waiting: { waitsFor: WaitsFor; newPasswordHash?: string | undefined },
): Promise<OpenedLogin> {
  const opened = await add(tx, user, { ...how, ...waiting, lifeMinutes: waitMinutes[waiting.waitsFor] })
  await endOldestWaiting(tx, user.uuid, maxSessionsPerUser)
  return opened
}

async function add(
  tx: Tx,
  user: User,
  how: How & Pick<NewSession, 'waitsFor' | 'newPasswordHash'>,
): Promise<OpenedLogin> {
  const sid = newSid()
  const sessionUuid = randomUUID()
  await addSession(tx, {
    ...how,
    uuid: sessionUuid,
    sidDigest: digestOf(sid),
    userUuid: user.uuid,
    idleMinutes: Math.min(user.idle_minutes ?? sessionIdleMinutes, sessionIdleMinutes),
    strength: how.strength ?? 'one factor',
  })
  return { sid, sessionUuid }
}
