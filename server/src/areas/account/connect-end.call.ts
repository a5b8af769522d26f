import type { accountConnectEnd } from '@hilum/contract/calls/account-connect'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { endConnection } from './connect.command.ts'
import { lockConnection } from './connection.sql.ts'

export const connectEnd: Handler<typeof accountConnectEnd> = async (request) => {
  const { services, input, caller, on, origin, fail } = request
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const one = await lockConnection(tx, on.ownerUuid, { uuid: input.uuid })
    if (!one) throw fail('NOT_FOUND', { subtype: 'uuid' })
    await endConnection(tx, caller, one, { accountUuid: on.ownerUuid, address })
  })
  return {}
}
