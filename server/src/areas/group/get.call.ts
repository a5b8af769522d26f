import type { groupGet } from '@hilum/contract/calls/group'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { presentGroup } from './group.presenter.ts'
import { groupOrder, listGroups } from './group.sql.ts'

export const get: Handler<typeof groupGet> = async ({ services, on, fail }) => {
  const only = { where: sql`true`, orderBy: groupOrder, limit: sql`1` }
  const [row] = await listGroups(services.db, on.accountUuid, [on.groupUuid], only)
  if (!row) throw fail('NOT_FOUND')
  return presentGroup(row)
}
