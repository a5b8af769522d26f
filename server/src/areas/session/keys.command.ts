import type { AuditAct } from '@hilum/contract/audit-acts'
import { randomUUID } from 'node:crypto'
import { foldLogin } from '@hilum/contract/fold-login'
import type { Permission } from '@hilum/contract/permissions'
import type { Caller } from '../../access/caller.ts'
import { digestOf, newSid } from '../../access/sid.ts'
import type { Db, Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { endKey, isLiveKeyOf } from './key.sql.ts'
import { addSession } from './sign-in.sql.ts'

/** By which people and scanners of secrets know a key when they see one. */
const prefix = 'hlm_'
const MINUTES_A_DAY = 24 * 60

/**
 * Makes a key with which a program acts in its user's name, everywhere or in one place: a session with a name and a scope, which does not end by
 * lying idle. The key itself is told once, only its digest is stored.
 */
export async function addKey(
  tx: Tx,
  caller: Caller,
  {
    name,
    permissions,
    days,
    namespaceUuid,
  }: { name: string; permissions: readonly Permission[]; days: number; namespaceUuid: string | undefined },
): Promise<{ uuid: string; key: string; expires: string }> {
  const key = prefix + newSid()
  const uuid = randomUUID()
  const expires = await addSession(tx, {
    uuid,
    sidDigest: digestOf(key),
    userUuid: caller.userUuid,
    idleMinutes: days * MINUTES_A_DAY,
    lifeMinutes: days * MINUTES_A_DAY,
    clientAddress: caller.clientAddress,
    method: 'key',
    strength: 'key',
    name,
    scope: permissions,
    ...(namespaceUuid ? { onlyNamespace: namespaceUuid } : {}),
  })
  await audit(tx, caller, 'KEY_ADD', uuid, {
    name,
    permissions,
    days,
    ...(namespaceUuid ? { namespace_id: namespaceUuid } : {}),
  })
  return { uuid, key, expires }
}

/** Ends a key of the caller's own, and what it has open. False when there is none. */
export async function removeKey(tx: Tx, caller: Caller, uuid: string): Promise<boolean> {
  const name = await endKey(tx, caller.userUuid, uuid)
  if (name === undefined) return false
  await audit(tx, caller, 'KEY_END', uuid, { name })
  return true
}

/** Whether this is a live key of the user with this login. */
export async function isKeyOf(db: Db, login: string, key: string): Promise<boolean> {
  return key.startsWith(prefix) && isLiveKeyOf(db, foldLogin(login), digestOf(key))
}

async function audit(tx: Tx, caller: Caller, action: AuditAct, uuid: string, detail: Record<string, unknown>) {
  const account = (await caller.memberships()).find((one) => one.kind === 'account')
  await writeAudit(tx, {
    accountUuid: account?.accountUuid ?? null,
    caller,
    action,
    type: 'Session',
    objectUuid: uuid,
    detail,
  })
}
