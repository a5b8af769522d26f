import type { filterShare } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { mayEditSearch } from './filter.policy.ts'
import { findSavedSearch } from './filter.sql.ts'
import { insertSearchShare, listAccountsForSearch } from './share.sql.ts'
import { demandShareRight, readShareTarget } from './share-target.policy.ts'

export const share: Handler<typeof filterShare> = async ({ services, input, caller, fail }) => {
  const row = await findSavedSearch(services.db, caller, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  const memberships = await caller.memberships()
  if (!mayEditSearch(row, caller.userUuid, memberships)) throw fail('NOT_PERMITTED')
  const target = readShareTarget(input)
  demandShareRight(target, caller.userUuid, memberships, await listAccountsForSearch(services.db, target))
  await insertSearchShare(services.db, row.uuid, target)
  return {}
}
