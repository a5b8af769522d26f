import type { studyRetract } from '@hilum/contract/calls/study-retract'
import { maxReason } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { retractCopies, retractStudy } from './retract-study.command.ts'
import { lockSharing } from './share-locks.sql.ts'

export const retract: Handler<typeof studyRetract> = async ({ services, input, caller, on, origin, fail }) => {
  const reason = input.reason.trim()
  if (reason === '' || reason.length > maxReason) throw fail('INVALID_FIELD', { subtype: 'reason' })
  const address = publicAddress(services.config, origin)
  const taken = await services.db.transaction().execute(async (tx) => {
    await lockSharing(tx, on.record.study_uid)
    // what others made of a copy goes, and comes again, with the copy
    const copies = await retractCopies(tx, caller, on.record, address)
    const done = await retractStudy(tx, caller, on.record, { reason, address })
    if (!done) throw fail('NOT_FOUND')
    return { places: done.places + copies.places, copies: done.copies + copies.copies }
  })
  services.events.ring()
  return taken
}
