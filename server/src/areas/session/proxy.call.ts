import { maxProxyReason, type sessionProxy } from '@hilum/contract/calls/system'
import { randomUUID } from 'node:crypto'
import { digestOf, newSid } from '../../access/sid.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { lockProxied } from '../system/system.sql.ts'
import { endSession } from './end-sessions.sql.ts'
import { makeToken } from './make-token.command.ts'
import { isProvenLately } from './pin-session.sql.ts'
import { addSession } from './sign-in.sql.ts'

const lifeMinutes = 60
const idleMinutes = 15

export const proxy: Handler<typeof sessionProxy> = async ({ services, input, caller, origin, fail }) => {
  const reason = input.reason.trim()
  if (!reason || reason.length > maxProxyReason) throw fail('INVALID_FIELD', { subtype: 'reason' })
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const { account_id: accountUuid, user_id: userUuid } = input
  const sid = newSid()
  const sessionUuid = randomUUID()
  const person = await services.db.transaction().execute(async (tx) => {
    const found = await lockProxied(tx, accountUuid, userUuid)
    if (!found) throw fail('USER_NOT_FOUND')
    await addSession(tx, {
      uuid: sessionUuid,
      sidDigest: digestOf(sid),
      userUuid,
      method: 'proxy',
      proxyBy: caller.userUuid,
      onlyAccount: accountUuid,
      idleMinutes,
      lifeMinutes,
      clientAddress: origin.clientAddress,
      userAgent: origin.userAgent ?? '',
    })
    await writeAudit(tx, {
      accountUuid,
      caller: {
        userUuid,
        name: found.name,
        clientAddress: caller.clientAddress,
        proxy: { userUuid: caller.userUuid, name: caller.name },
      },
      action: 'LOGIN',
      type: 'User',
      objectUuid: userUuid,
      detail: { method: 'proxy', reason },
    })
    // one browser holds one session
    if (input.short === 1) await endSession(tx, caller.sessionUuid)
    return found
  })
  if (input.short === 1) origin.setCookie?.(sid)
  return {
    sid,
    ...(input.short === 1 ? await makeToken(services.db, sessionUuid) : {}),
    session_id: sessionUuid,
    uuid: person.uuid,
    name: person.name,
    is_proxy: 1,
  }
}
