import { maxKeysPerUser, type sessionKeyAdd } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { lockPasswordHash } from '../user/password.sql.ts'
import { listKeys } from './key.sql.ts'
import { isProvenLately } from './pin-session.sql.ts'
import { addKey } from './keys.command.ts'

export const keyAdd: Handler<typeof sessionKeyAdd> = async ({ services, input, caller, fail }) => {
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const name = input.name.trim()
  if (!name || name.length > 100) throw fail('INVALID_FIELD', { subtype: 'name' })
  const days = input.days ?? 90
  if (days < 1 || days > 366) throw fail('INVALID_INTEGER', { subtype: 'days' })
  const namespaceUuid = input.namespace_id
  const places = await caller.memberships()
  if (namespaceUuid !== undefined && !places.some((one) => one.namespaceUuid === namespaceUuid))
    throw fail('NAMESPACE_NOT_FOUND')
  const permissions = [...new Set(input.permissions)]
  const made = await services.db.transaction().execute(async (tx) => {
    // the row's lock makes two that are made at once count each other
    await lockPasswordHash(tx, caller.userUuid)
    const keys = await listKeys(tx, caller.userUuid)
    return keys.length < maxKeysPerUser ? addKey(tx, caller, { name, permissions, days, namespaceUuid }) : undefined
  })
  if (!made) throw fail('TOO_MANY_KEYS')
  return made
}
