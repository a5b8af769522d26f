import type { sessionPinState } from '@hilum/contract/calls/session-pin'
import type { Handler } from '../handler.ts'
import { findTwoFactorState } from './two-factor.sql.ts'

export const pinState: Handler<typeof sessionPinState> = async ({ services, caller }) => {
  const state = await findTwoFactorState(services.db, caller.userUuid)
  return {
    is_on: state.is_on ? 1 : 0,
    since: state.since,
    recovery_codes: state.recovery_codes,
    is_required: state.is_required ? 1 : 0,
  }
}
