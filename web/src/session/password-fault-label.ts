import type { PasswordFault } from '@hilum/contract/password-rule'
import { ApiFailure } from '../api/api-failure.ts'

const labels = {
  rule: 'reset.hint',
  common: 'reset.common',
  name: 'reset.name',
  product: 'reset.product',
  repeated: 'reset.lastThree',
} as const satisfies Record<PasswordFault, string>

/** Why the server refused a new password (BAD_PASSWORD). */
export function passwordFaultLabel(failure: unknown) {
  const fault = failure instanceof ApiFailure ? failure.subtype : undefined
  return labels[fault as PasswordFault] ?? 'reset.hint' // a reason without words of its own
}
