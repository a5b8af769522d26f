import type { accountCanShareStop } from '@hilum/contract/calls/account-can-share'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { endConnection } from './connect.command.ts'
import { lockConnection } from './connection.sql.ts'

export const canShareStop: Handler<typeof accountCanShareStop> = async (request) => {
  const { services, input, caller, on, origin, fail } = request
  const accountUuid = on.ownerUuid
  if (input.by_id !== accountUuid) throw fail('BY_NOT_FOUND')
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const one = await lockConnection(tx, accountUuid, { otherAccount: input.with_id })
    if (!one || input.with_id === accountUuid) throw fail('WITH_NOT_FOUND')
    await endConnection(tx, caller, one, { accountUuid, address })
  })
  return {}
}
