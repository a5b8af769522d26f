import type { roleGet } from '@hilum/contract/calls/role'
import type { Handler } from '../handler.ts'
import { presentRole } from './role.presenter.ts'
import { findWholeRole, listPlacesWithDefault } from './role.sql.ts'

export const get: Handler<typeof roleGet> = async ({ services, input, on, fail }) => {
  const row = await findWholeRole(services.db, on.ownerUuid, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  return { ...presentRole(row), default_of: await listPlacesWithDefault(services.db, row.uuid) }
}
