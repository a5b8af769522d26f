import type { SavedSearch } from '@hilum/contract/calls/filter'
import type { Caller, Membership } from '../../access/caller.ts'
import { mayEditSearch } from './filter.policy.ts'
import type { SavedSearchRow } from './filter.sql.ts'

export function presentSavedSearch(
  row: SavedSearchRow,
  caller: Caller,
  memberships: readonly Membership[],
): SavedSearch {
  return {
    uuid: row.uuid,
    name: row.name,
    type: row.type,
    configuration: row.configuration,
    owner: row.owner_uuid,
    owner_name: row.owner_name,
    account_id: row.account_uuid,
    namespace_id: row.namespace_uuid,
    is_mine: row.owner_uuid === caller.userUuid ? 1 : 0,
    may_edit: mayEditSearch(row, caller.userUuid, memberships) ? 1 : 0,
  }
}
