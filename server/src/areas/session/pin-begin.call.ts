import type { sessionPinBegin } from '@hilum/contract/calls/session-pin'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { findPinSession } from './pin-session.sql.ts'
import { beginTwoFactor } from './two-factor.command.ts'
import { findTwoFactorState } from './two-factor.sql.ts'

export const pinBegin: Handler<typeof sessionPinBegin> = async ({ services, origin, fail }) => {
  const session = origin.sid ? await findPinSession(services.db, digestOf(origin.sid)) : undefined
  // a session that waits for a code must not make itself another secret
  if (!session?.is_live || session.waits_for === 'pin') throw fail('INVALID_SID')
  if (!session.is_proven) throw fail('PROOF_REQUIRED')
  // nor one that waited to set up a second factor which is there by now
  if (session.waits_for !== null && (await findTwoFactorState(services.db, session.user_uuid)).is_on) {
    throw fail('INVALID_SID')
  }
  return beginTwoFactor(services, session)
}
