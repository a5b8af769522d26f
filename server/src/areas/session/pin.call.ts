import type { sessionPin } from '@hilum/contract/calls/session-pin'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { findPinSession } from './pin-session.sql.ts'
import { finishSignIn, mayTryPin, refusePin, takePin } from './two-factor.command.ts'

export const pin: Handler<typeof sessionPin> = async ({ services, input, origin, fail }) => {
  const session = origin.sid ? await findPinSession(services.db, digestOf(origin.sid)) : undefined
  if (!session?.waits_for) throw fail('INVALID_SID')
  if (!session.is_live) throw fail('PIN_EXPIRED')
  const may = await mayTryPin(services, session, origin)
  if (may !== 'yes') throw fail(may === 'locked' ? 'LOCKOUT' : 'PIN_EXPIRED')
  const outcome = await services.db.transaction().execute(async (tx) => {
    const way = await takePin(services, tx, session.user_uuid, input.pin, origin)
    if (!way) return 'INVALID_PIN'
    return (await finishSignIn(tx, session, origin, way)) ? undefined : 'PIN_EXPIRED'
  })
  if (outcome === 'INVALID_PIN') await refusePin(services, session, origin)
  if (outcome) throw fail(outcome)
  return {}
}
