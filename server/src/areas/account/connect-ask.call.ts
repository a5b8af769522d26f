import type { accountConnectAsk } from '@hilum/contract/calls/account-connect'
import { maxConnectionMessage } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { perShareChange } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { askToConnect } from './connect.command.ts'
import { findAccountByName } from './connection.sql.ts'

export const connectAsk: Handler<typeof accountConnectAsk> = async ({ services, input, caller, on, origin, fail }) => {
  const accountUuid = on.ownerUuid
  const message = input.message?.trim() ?? ''
  if (message.length > maxConnectionMessage) throw fail('INVALID_FIELD', { subtype: 'message' })
  // counted before it is tried, so that the organisations of the installation cannot be found by trying many names
  const isOpen = await mayAttempt(services.db, 'connection-ask', digestOf(caller.userUuid), perShareChange)
  if (!isOpen) throw fail('LOCKOUT')
  const other = await findAccountByName(services.db, input.account_name.trim())
  if (!other) throw fail('NOT_FOUND', { subtype: 'account_name' })
  if (other.uuid === accountUuid) throw fail('INVALID_FIELD', { subtype: 'account_name' })
  const address = publicAddress(services.config, origin)
  const asked = await askToConnect(services.db, caller, { accountUuid, otherAccount: other.uuid, message, address })
  if (!asked) throw fail('NOT_FOUND', { subtype: 'account_name' })
  if (!asked.isChanged) throw fail('ALREADY_EXISTS', { subtype: asked.uuid })
  return { uuid: asked.uuid }
}
