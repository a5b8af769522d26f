import type { accountConnectEnd } from '@hilum/contract/calls/account-connect'
import type { CallRequest, Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { endShare } from '../study/end-share.command.ts'
import { endConnection } from './connect.command.ts'
import { listSentOver, lockConnection } from './connection.sql.ts'

/** Shares that are looked up at once. */
const mostAtOnce = 200

export const connectEnd: Handler<typeof accountConnectEnd> = async (request) => {
  const { services, input, caller, on, origin, fail } = request
  const address = publicAddress(services.config, origin)
  const other = await services.db.transaction().execute(async (tx) => {
    const one = await lockConnection(tx, on.ownerUuid, { uuid: input.uuid })
    if (!one) throw fail('NOT_FOUND', { subtype: 'uuid' })
    const account = one.asking_account === on.ownerUuid ? one.asked_account : one.asking_account
    // a connection whose sendings are to be stopped ends last: the act can be done again where it breaks off
    if (input.stop_sent !== 1) await endConnection(tx, caller, one, { accountUuid: on.ownerUuid, address })
    return account
  })
  if (input.stop_sent !== 1) return { stopped: 0 }
  const stopped = await stopSent(request, other)
  await services.db.transaction().execute(async (tx) => {
    const one = await lockConnection(tx, on.ownerUuid, { uuid: input.uuid })
    if (one) await endConnection(tx, caller, one, { accountUuid: on.ownerUuid, address })
  })
  // sent by somebody between the two
  return { stopped: stopped + (await stopSent(request, other)) }
}

/** Stops all that the account sent to the other one. @returns how many shares that were */
async function stopSent(
  { services, caller, on }: CallRequest<typeof accountConnectEnd>,
  other: string,
): Promise<number> {
  let stopped = 0
  for (;;) {
    const sent = await listSentOver(services.db, on.ownerUuid, other, mostAtOnce)
    for (const uuid of sent) {
      const isEnded = await services.db.transaction().execute((tx) => endShare(tx, caller, uuid))
      if (isEnded) stopped += 1
    }
    if (sent.length > 0) services.events.ring()
    if (sent.length < mostAtOnce) return stopped
  }
}
