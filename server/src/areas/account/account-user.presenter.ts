import type { AccountUser } from '@hilum/contract/calls/account-user'
import type { AccountUserRow } from './account-user.sql.ts'

export function presentAccountUser(row: AccountUserRow): AccountUser {
  return { uuid: row.user_id, ...row, disabled: row.disabled ? 1 : 0 }
}
