import type { accountConnectAccept } from '@hilum/contract/calls/account-connect'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { acceptConnection } from './connect.command.ts'
import { lockConnection } from './connection.sql.ts'

/** Accepting again changes nothing. An account cannot accept what it asked for itself. */
export const connectAccept: Handler<typeof accountConnectAccept> = async (request) => {
  const { services, input, caller, on, origin, fail } = request
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const one = await lockConnection(tx, on.ownerUuid, { uuid: input.uuid })
    if (!one || (!one.is_connected && one.asking_account === on.ownerUuid)) throw fail('NOT_FOUND', { subtype: 'uuid' })
    if (!one.is_connected) await acceptConnection(tx, caller, one, address)
  })
  return {}
}
