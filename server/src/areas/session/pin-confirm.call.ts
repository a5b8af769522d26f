import type { sessionPinConfirm } from '@hilum/contract/calls/session-pin'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { finishSignIn } from '../sign-in/finish-sign-in.command.ts'
import { findPinSession } from './pin-session.sql.ts'
import { confirmTwoFactor, mayTryPin } from './two-factor.command.ts'

export const pinConfirm: Handler<typeof sessionPinConfirm> = async ({ services, input, origin, fail }) => {
  const session = origin.sid ? await findPinSession(services.db, digestOf(origin.sid)) : undefined
  if (!session?.is_live || session.waits_for === 'pin') throw fail('INVALID_SID')
  if (!session.is_proven) throw fail('PROOF_REQUIRED')
  if ((await mayTryPin(services, session, origin)) !== 'yes') throw fail('LOCKOUT')
  const codes = await confirmTwoFactor(services, session, input.pin, origin, finishSignIn)
  if (typeof codes === 'string') throw fail(codes === 'wrong' ? 'INVALID_PIN' : 'PIN_EXPIRED')
  return { recovery_codes: [...codes] }
}
