import { randomUUID } from 'node:crypto'
import { maxSessionsPerUser, sessionIdleMinutes } from '@hilum/contract/limits'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { endOldestSessions } from './end-sessions.sql.ts'
import { addSession, type LoginRow, noteLogin, type SessionMethod } from './sign-in.sql.ts'

export interface Opened {
  sid: string
  sessionUuid: string
}

/**
 * Opens a session for a person of whom it is proven who it is, however that was done. The caller holds the person's row
 * locked, so that two sign-ins at once count each other's session.
 */
export async function openSession(
  tx: Tx,
  user: Pick<LoginRow, 'uuid' | 'name' | 'account_uuid' | 'idle_minutes'>,
  how: { method: Exclude<SessionMethod, 'key'>; lifeMinutes: number; clientAddress: string; userAgent: string },
  detail: Record<string, unknown> = {},
): Promise<Opened> {
  const sid = newSid()
  const sessionUuid = randomUUID()
  const { method, lifeMinutes, clientAddress, userAgent } = how
  await addSession(tx, {
    uuid: sessionUuid,
    sidDigest: digestOf(sid),
    userUuid: user.uuid,
    idleMinutes: Math.min(user.idle_minutes ?? sessionIdleMinutes, sessionIdleMinutes),
    lifeMinutes,
    clientAddress,
    userAgent,
    method,
    strength: 'one factor',
  })
  await endOldestSessions(tx, user.uuid, method === 'password' ? 'screens' : 'programs', maxSessionsPerUser)
  await noteLogin(tx, user.uuid)
  await writeAudit(tx, {
    accountUuid: user.account_uuid,
    caller: { userUuid: user.uuid, name: user.name, clientAddress },
    action: 'LOGIN',
    type: 'User',
    objectUuid: user.uuid,
    detail: { ...detail, ...(method === 'password' ? {} : { method }) },
  })
  return { sid, sessionUuid }
}
