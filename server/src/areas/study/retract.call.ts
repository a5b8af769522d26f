import type { studyRetract } from '@hilum/contract/calls/study-retract'
import { maxReason } from '@hilum/contract/limits'
import { isRolledBack } from '../../db/rolled-back.ts'
import type { Handler } from '../handler.ts'
import { publicAddress } from '../mail/public-address.ts'
import { retractStudy } from './retract-study.command.ts'

export const retract: Handler<typeof studyRetract> = async ({ services, input, caller, on, origin, fail }) => {
  const reason = input.reason.trim()
  if (reason === '' || reason.length > maxReason) throw fail('INVALID_FIELD', { subtype: 'reason' })
  const address = publicAddress(services.config, origin)
  const take = () => services.db.transaction().execute((tx) => retractStudy(tx, caller, on.record, { reason, address }))
  // copies that came between two looks are locked out of their order
  const taken = await take().catch((error: unknown) => {
    if (!isRolledBack(error)) throw error
    return take()
  })
  if (!taken) throw fail('NOT_FOUND')
  services.events.ring()
  return taken
}
