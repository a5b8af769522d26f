import { mayDo } from '@hilum/contract/acts'
import type { groupList } from '@hilum/contract/calls/group'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { presentGroup } from './group.presenter.ts'
import { groupColumns, groupOrder, listGroups } from './group.sql.ts'

export const list: Handler<typeof groupList> = async ({ services, list, caller, on }) => {
  const own = (await caller.memberships()).filter((one) => one.kind === 'group').map((one) => one.ownerUuid)
  const onlyUuids = mayDo('seeGroup', on) ? undefined : own
  const sqlOfList = listSql(list, groupColumns, caller.timeZone, groupOrder)
  const { rows, page } = toPage(await listGroups(services.db, on.ownerUuid, onlyUuids, sqlOfList), list)
  return { groups: rows.map(presentGroup), page }
}
