import { type filterShareList, shareKinds } from '@hilum/contract/calls/filter'
import type { Handler } from '../handler.ts'
import { mayEditSearch } from './filter.policy.ts'
import { findSavedSearch } from './filter.sql.ts'
import { listShares } from './share.sql.ts'

export const shareList: Handler<typeof filterShareList> = async ({ services, input, caller, fail }) => {
  const row = await findSavedSearch(services.db, caller, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  if (!mayEditSearch(row, caller.userUuid, await caller.memberships())) throw fail('NOT_PERMITTED')
  const shares = await listShares(services.db, row.uuid)
  const uuidsOf = (kind: (typeof shareKinds)[number]) =>
    shares.filter((one) => one.kind === kind).map(({ uuid }) => uuid)
  return {
    account_id: uuidsOf('account'),
    location_id: uuidsOf('location'),
    group_id: uuidsOf('group'),
    user_id: uuidsOf('user'),
    role_id: uuidsOf('role'),
  }
}
