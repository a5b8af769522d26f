import { ApiError } from '@hilum/contract/errors'
import type { Caller, Membership } from '../../access/caller.ts'
import type { SavedSearchRow } from './filter.sql.ts'

/** A saved search is changed by its owner, and in a shared place by who may edit the searches of others there. */
export function mayEditSearch(
  row: Pick<SavedSearchRow, 'owner_uuid' | 'namespace_uuid'>,
  userUuid: string,
  memberships: readonly Membership[],
): boolean {
  if (row.owner_uuid === userUuid) return true
  const place = memberships.find((one) => one.namespaceUuid === row.namespace_uuid)
  return (
    place !== undefined &&
    place.permissions.has('user_edit_shared_filter') &&
    !place.permissions.has('filter_edit_only_own')
  )
}

/**
 * The place that a search is to be kept for.
 * @throws ApiError NOT_FOUND for a place that the caller does not belong to; NOT_PERMITTED without filter_share there
 */
export async function openSearchPlace(caller: Caller, namespaceUuid: string): Promise<Membership> {
  const place = (await caller.memberships()).find((one) => one.namespaceUuid === namespaceUuid.toLowerCase())
  if (!place) throw new ApiError('NOT_FOUND', { subtype: 'namespace_id' })
  if (!place.permissions.has('filter_share')) throw new ApiError('NOT_PERMITTED')
  return place
}
