import type { filterList } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentSavedSearch } from './filter.presenter.ts'
import { listSavedSearches, savedSearchColumns, savedSearchOrder } from './filter.sql.ts'

export const list: Handler<typeof filterList> = async ({ services, input, list: query, caller }) => {
  const question = listSql(query, savedSearchColumns, caller.timeZone, savedSearchOrder)
  const memberships = await caller.memberships()
  const found = await listSavedSearches(services.db, caller, question, {
    type: input.type,
    accountUuid: input.account_id,
  })
  const { rows, page } = toPage(found, query)
  return { filters: rows.map((row) => presentSavedSearch(row, caller, memberships)), page }
}
