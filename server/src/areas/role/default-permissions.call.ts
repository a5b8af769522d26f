import type { roleDefaultPermissions } from '@hilum/contract/calls/role'
import { permissionDefaults } from '@hilum/contract/permissions'
import type { Handler } from '../handler.ts'

export const defaultPermissions: Handler<typeof roleDefaultPermissions> = async ({ input, caller, fail }) => {
  const isMember = (await caller.memberships()).some(
    (one) => one.kind === 'account' && one.ownerUuid === input.account_id,
  )
  if (input.account_id !== undefined && !isMember) throw fail('NOT_FOUND')
  const permissions = Object.entries(permissionDefaults).map(([name, { admin, user }]) => [name, [admin, user]])
  return { permissions: Object.fromEntries(permissions) }
}
