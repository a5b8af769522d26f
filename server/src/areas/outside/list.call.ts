import { mayDo } from '@hilum/contract/acts'
import { outsideList } from '@hilum/contract/calls/outside'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentOutside } from './outside.presenter.ts'
import { listOutside, newestOutside, outsideColumns } from './outside.sql.ts'

export const list: Handler<typeof outsideList> = async ({ services, input, list: query, caller, on, fail }) => {
  const isAdministrator = mayDo(outsideList.decides.everyone, on)
  if (input.everyone === 1 && !isAdministrator) throw fail('NOT_PERMITTED')
  const of = { accountUuid: on.ownerUuid, byUser: input.everyone === 1 ? undefined : caller.userUuid }
  const found = await listOutside(services.db, of, listSql(query, outsideColumns, caller.timeZone, newestOutside))
  const { rows, page } = toPage(found, query)
  const memberships = await caller.memberships()
  const asking = { userUuid: caller.userUuid, memberships, isAdministrator }
  return { accesses: rows.map((row) => presentOutside(row, asking)), page }
}
