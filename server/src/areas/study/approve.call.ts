import type { studyApprove } from '@hilum/contract/calls/study-approval'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { isNominated } from '../nomination/nomination.sql.ts'
import { approveRecord } from './approve-record.command.ts'

export const approve: Handler<typeof studyApprove> = async ({ services, caller, on, origin, fail }) => {
  const address = publicAddress(services.config, origin)
  // a nomination is approved by being sent
  if (on.record.must_approve && (await isNominated(services.db, on.record.uuid)))
    throw fail('NOT_PERMITTED', { subtype: 'nomination' })
  await services.db.transaction().execute(async (tx) => {
    if ((await approveRecord(tx, caller, on.record, address)) === 'gone') throw fail('NOT_FOUND')
  })
  services.events.ring()
  return {}
}
