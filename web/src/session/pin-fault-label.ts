import { failureCode } from '../api/api-failure.ts'

/** Why a code was refused, in words a person can act on. */
export function pinFaultLabel(failure: unknown) {
  switch (failureCode(failure)) {
    case 'INVALID_PIN':
      return 'pin.invalid' as const
    case 'LOCKOUT':
      return 'pin.lockedOut' as const
    case 'PIN_EXPIRED':
      return 'pin.setUpExpired' as const
    case 'ERR_NETWORK':
      return 'login.offline' as const
    default:
      return 'pin.failed' as const
  }
}
