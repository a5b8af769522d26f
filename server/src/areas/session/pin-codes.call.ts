import type { sessionPinCodes } from '@hilum/contract/calls/session-pin'
import type { Handler } from '../handler.ts'
import { personOf } from './person-of.ts'
import { isProvenLately } from './pin-session.sql.ts'
import { renewRecoveryCodes } from './two-factor.command.ts'

export const pinCodes: Handler<typeof sessionPinCodes> = async ({ services, caller, fail }) => {
  if (!(await isProvenLately(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const person = await personOf(caller)
  const codes = await services.db.transaction().execute((tx) => renewRecoveryCodes(tx, person, caller))
  if (!codes) throw fail('NO_SECOND_FACTOR')
  return { recovery_codes: [...codes] }
}
