import type { filterDelete } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { mayEditSearch } from './filter.policy.ts'
import { deleteSavedSearch, findSavedSearch } from './filter.sql.ts'

export const remove: Handler<typeof filterDelete> = async ({ services, input, caller, fail }) => {
  const row = await findSavedSearch(services.db, caller, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  if (!mayEditSearch(row, caller.userUuid, await caller.memberships())) throw fail('NOT_PERMITTED')
  await deleteSavedSearch(services.db, row.uuid)
  return {}
}
