import { ApiFailure, failureCode } from '../../../api/api-failure.ts'
import { type LabelKey, t } from '../../../labels/label.ts'
import type { AccountUser, UserAct } from '../../../queries/account-users.ts'

/**
 * Users to whom an act can be done: enabling and disabling leaves those out who are so already (ADMIN-USERS-06), and
 * nobody disables or deletes themselves, nor acts on somebody who may do more.
 */
export function usersFor(act: UserAct, users: readonly AccountUser[], ownId: string): AccountUser[] {
  const below = users.filter((one) => one.is_above !== 1)
  if (act === 'enable') return below.filter((one) => one.disabled === 1)
  const others = below.filter((one) => one.user_id !== ownId)
  return act === 'disable' ? others.filter((one) => one.disabled === 0) : others
}

/** Why something was not done to a person, in words. */
export function reasonText(failure: unknown): string {
  return t(reasonKey(failure))
}

function reasonKey(failure: unknown): LabelKey & `users.reason.${string}` {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  switch (failureCode(failure)) {
    case 'NOT_PERMITTED':
      return isSaid(subtype) ? `users.reason.${subtype}` : 'users.reason.notPermitted'
    case 'NOT_DISABLED':
      return 'users.reason.NOT_DISABLED'
    case 'NOT_FOUND':
    case 'USER_NOT_FOUND':
      return 'users.reason.gone'
    case 'ERR_NETWORK':
      return 'users.reason.network'
    default:
      return 'users.reason.other'
  }
}

const said = ['SELF', 'LAST_ADMINISTRATOR', 'ROLE_ABOVE', 'OTHER_ACCOUNTS'] as const

function isSaid(subtype: unknown): subtype is (typeof said)[number] {
  return said.some((one) => one === subtype)
}
