import type { accountCanShare } from '@hilum/contract/calls/account-can-share'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { perShareChange } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { askToConnect } from './connect.command.ts'
import { hasConnection } from './connection.sql.ts'

export const canShare: Handler<typeof accountCanShare> = async ({ services, input, caller, on, origin, fail }) => {
  const accountUuid = on.ownerUuid
  if (input.by_id !== accountUuid) throw fail('BY_NOT_FOUND')
  const otherAccount = input.with_id
  const isMember = (await caller.memberships()).some((one) => one.kind === 'account' && one.ownerUuid === otherAccount)
  const isKnown = isMember || (await hasConnection(services.db, accountUuid, otherAccount))
  if (otherAccount === accountUuid || !isKnown) throw fail('WITH_NOT_FOUND')
  // counted as account/connect/ask, since it mails the same
  const isOpen = await mayAttempt(services.db, 'connection-ask', digestOf(caller.userUuid), perShareChange)
  if (!isOpen) throw fail('LOCKOUT')
  const address = publicAddress(services.config, origin)
  const asked = await askToConnect(services.db, caller, { accountUuid, otherAccount, message: '', address })
  if (!asked) throw fail('WITH_NOT_FOUND')
  return {}
}
