import type { studyReject } from '@hilum/contract/calls/study-approval'
import { maxReason } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { isNominated } from '../nomination/nomination.sql.ts'
import { rejectRecord } from './reject-record.command.ts'

export const reject: Handler<typeof studyReject> = async ({ services, input, caller, on, origin, fail }) => {
  const message = input.message?.trim() ?? ''
  if (message.length > maxReason) throw fail('INVALID_FIELD', { subtype: 'message' })
  // the record of a nomination stays, with the reason (PROCESS-17)
  if (on.record.must_approve && (await isNominated(services.db, on.record.uuid)))
    throw fail('NOT_PERMITTED', { subtype: 'nomination' })
  const address = publicAddress(services.config, origin)
  await services.db.transaction().execute(async (tx) => {
    const outcome = await rejectRecord(tx, caller, on.record, { message, address })
    if (outcome === 'gone') throw fail('NOT_FOUND')
    if (outcome !== 'rejected') throw fail('NOT_PERMITTED', { subtype: outcome })
  })
  services.events.ring()
  return {}
}
