import { ApiFailure } from '../../api/api-failure.ts'
import { signInFaultLabel } from '../../session/sign-in-fault-label.ts'
import { passwordFaultLabel } from '../../session/password-fault-label.ts'
import { readSession } from '../../session/session-store.ts'

const labels = {
  INVALID_CREDENTIALS: 'login.invalid',
  LOCKOUT: 'login.lockedOut',
  DISABLED: 'login.disabled',
  SSO_ONLY: 'login.ssoOnly',
  PASSWORD_RESET: 'login.passwordReset',
  ERR_NETWORK: 'login.offline',
  PIN_EXPIRED: 'pin.expired',
  INVALID_SID: 'pin.expired',
} as const

/** Why signing in failed, in words a person can act on. */
export function loginFaultLabel(failure: unknown) {
  const state = readSession()
  if (state.status === 'signedOut' && state.reason === 'notEstablished') return 'login.notEstablished' as const
  if (!(failure instanceof ApiFailure)) return 'login.failed' as const
  if (failure.status === 429) return 'login.tooMany' as const
  if (failure.code === 'SSO_REFUSED') return signInFaultLabel(failure.subtype)
  if (failure.code === 'BAD_PASSWORD') return passwordFaultLabel(failure)
  return labels[failure.code as keyof typeof labels] ?? 'login.failed' // a code without words of its own
}
