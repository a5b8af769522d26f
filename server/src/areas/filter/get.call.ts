import type { filterGet } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { presentSavedSearch } from './filter.presenter.ts'
import { findSavedSearch } from './filter.sql.ts'

export const get: Handler<typeof filterGet> = async ({ services, input, caller, fail }) => {
  const row = await findSavedSearch(services.db, caller, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  return presentSavedSearch(row, caller, await caller.memberships())
}
