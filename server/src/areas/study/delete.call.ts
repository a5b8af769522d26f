import type { studyDelete } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { deleteRecord } from '../retention/delete-record.command.ts'

export const remove: Handler<typeof studyDelete> = async ({ services, caller, on, origin, fail }) => {
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const outcome = await deleteRecord(tx, caller, on.record, caller.userUuid, address)
    if (outcome === 'gone') throw fail('NOT_FOUND')
    if (outcome !== 'deleted') throw fail('NOT_PERMITTED', { subtype: outcome })
  })
  services.events.ring()
  return {}
}
