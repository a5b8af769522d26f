import type { AccountUser } from '@hilum/contract/calls/account-user'
import { presentFieldValues } from '../customfield/customfield.presenter.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'
import type { AccountUserRow } from './account-user.sql.ts'

export function presentAccountUser(
  { is_operator: _operator, held_roles: _roles, ...row }: AccountUserRow,
  definitions: readonly CustomFieldRow[],
  isAbove: boolean,
): AccountUser {
  const customfields = presentFieldValues(definitions, row.customfields)
  return { uuid: row.user_id, ...row, disabled: row.disabled ? 1 : 0, customfields, is_above: isAbove ? 1 : 0 }
}
