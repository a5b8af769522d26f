import { ApiError } from '@hilum/contract/errors'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { endProxySessionsBy } from '../session/end-sessions.sql.ts'
import { lockFlagged, updateFlags } from './system.sql.ts'

/**
 * Gives a person the flags of the system or takes them back, on record; a flag that is not named stays. Somebody who is
 * no supporter any more is signed out wherever signed in as somebody else.
 * @throws ApiError USER_NOT_FOUND, of a disabled login too unless flags are taken
 */
export async function changeFlags(
  tx: Tx,
  email: string,
  flags: { sysadmin?: boolean | undefined; support?: boolean | undefined },
  by: { caller: AuditEntry['caller']; detail?: Record<string, unknown> },
): Promise<{ uuid: string }> {
  const person = await lockFlagged(tx, email)
  if (!person) throw new ApiError('USER_NOT_FOUND')
  const now = { sysadmin: flags.sysadmin ?? person.sysadmin, support: flags.support ?? person.support }
  const names = ['sysadmin', 'support'] as const
  const changed = names.filter((name) => now[name] !== person[name])
  // a login that is disabled gets nothing; what it has can be taken
  if (person.disabled && changed.some((name) => now[name])) throw new ApiError('USER_NOT_FOUND')
  if (changed.length === 0) return person
  await updateFlags(tx, person.uuid, now)
  if (!now.sysadmin && !now.support) await endProxySessionsBy(tx, person.uuid)
  await writeAudit(tx, {
    accountUuid: person.account_uuid,
    caller: by.caller,
    action: 'ROLE_CHANGE',
    type: 'User',
    objectUuid: person.uuid,
    detail: {
      ...Object.fromEntries(changed.map((name) => [name, [Number(person[name]), Number(now[name])]])),
      ...by.detail,
    },
  })
  return person
}
