import type { filterShareStop } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { mayEditSearch } from './filter.policy.ts'
import { findSavedSearch } from './filter.sql.ts'
import { deleteShare } from './share.sql.ts'
import { readShareTarget } from './share-target.policy.ts'

export const shareStop: Handler<typeof filterShareStop> = async ({ services, input, caller, fail }) => {
  const row = await findSavedSearch(services.db, caller, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  if (!mayEditSearch(row, caller.userUuid, await caller.memberships())) throw fail('NOT_PERMITTED')
  const target = readShareTarget(input)
  if (!(await deleteShare(services.db, row.uuid, target))) throw fail('NOT_FOUND', { subtype: `${target.kind}_id` })
  return {}
}
