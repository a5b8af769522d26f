import type { roleGet } from '@hilum/contract/calls/role'
import type { Handler } from '../handler.ts'
import { listRoleSettings } from './role-settings.command.ts'
import { presentRole } from './role.presenter.ts'
import { findWholeRole, listPlacesWithDefault } from './role.sql.ts'

export const get: Handler<typeof roleGet> = async ({ services, input, on, fail }) => {
  const row = await findWholeRole(services.db, on.ownerUuid, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  const [default_of, settings] = await Promise.all([
    listPlacesWithDefault(services.db, row.uuid),
    listRoleSettings(services.db, row.uuid),
  ])
  return { ...presentRole(row), default_of, settings }
}
