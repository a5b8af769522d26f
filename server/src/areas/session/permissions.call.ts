import type { sessionPermissions } from '@hilum/contract/calls/session'
import type { Handler } from '../handler.ts'
import { findSetting } from '../setting/setting.sql.ts'
import { presentPermissions } from '../role/permissions.presenter.ts'

export const permissions: Handler<typeof sessionPermissions> = async ({ services, input, caller, fail }) => {
  const { account_id, namespace_id } = input
  if (!account_id && !namespace_id) throw fail('MISSING_FIELDS', { subtype: ['account_id'] })
  const membership = (await caller.memberships()).find((one) =>
    namespace_id
      ? one.namespaceUuid === namespace_id && (!account_id || one.accountUuid === account_id)
      : one.kind === 'account' && one.ownerUuid === account_id,
  )
  if (!membership) throw fail('NOT_FOUND')
  const uiJson = membership.roleUuid
    ? await findSetting(services.db, 'role', membership.roleUuid, 'ui_json')
    : undefined
  return { ...presentPermissions(membership), ...membership.fieldFlags, ...(uiJson ? { ui_json: uiJson } : {}) }
}
