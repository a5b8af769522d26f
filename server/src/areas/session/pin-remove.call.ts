import type { sessionPinRemove } from '@hilum/contract/calls/session-pin'
import type { Handler } from '../handler.ts'
import { personOf } from './person-of.ts'
import { isProvenLately } from './pin-session.sql.ts'
import { removeTwoFactor } from './two-factor.command.ts'
import { findTwoFactorState } from './two-factor.sql.ts'

export const pinRemove: Handler<typeof sessionPinRemove> = async ({ services, caller, fail }) => {
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const person = await personOf(caller)
  await services.db.transaction().execute(async (tx) => {
    const { is_required: isRequired } = await findTwoFactorState(tx, caller.userUuid)
    if (isRequired) throw fail('NOT_PERMITTED', { subtype: 'PIN_REQUIRED' })
    if (!(await removeTwoFactor(tx, person, caller))) throw fail('NO_SECOND_FACTOR')
  })
  return {}
}
