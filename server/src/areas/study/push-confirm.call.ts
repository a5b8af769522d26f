import type { studyPushConfirm } from '@hilum/contract/calls/study-nominate'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { sendNomination } from './send-nomination.command.ts'

export const pushConfirm: Handler<typeof studyPushConfirm> = async ({ services, input, caller, on, origin, fail }) => {
  const address = publicAddress(services.config, origin)
  const uuid = await services.db.transaction().execute(async (tx) => {
    const asked = await sendNomination(tx, caller, on.record, { address, rowVersion: input.row_version })
    if (asked.kind === 'noDestination') throw fail('NOT_FOUND', { subtype: 'push_destination' })
    if (asked.kind === 'notSupported') throw fail('NOT_SUPPORTED')
    if (asked.kind === 'notReady') throw fail('NOT_READY')
    if (asked.kind === 'pending') throw fail('PENDING')
    return asked.uuid
  })
  services.events.ring()
  return { uuid }
}
