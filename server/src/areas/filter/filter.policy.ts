import { factsOf, mayDo } from '@hilum/contract/acts'
import { filterAdd } from '@hilum/contract/calls/filter'
import { ApiError } from '@hilum/contract/errors'
import type { Caller, Membership } from '../../access/caller.ts'
import type { SavedSearchRow } from './filter.sql.ts'

/** A saved search is changed by its owner, and in a shared place by who may edit the searches of others there. */
export function mayEditSearch(
  row: Pick<SavedSearchRow, 'owner_uuid' | 'namespace_uuid'>,
  userUuid: string,
  memberships: readonly Membership[],
): boolean {
  const facts = factsOf({ ownSearch: row.owner_uuid === userUuid })
  const place = memberships.find((one) => one.namespaceUuid === row.namespace_uuid)
  return mayDo('editSearch', { permissions: place?.permissions ?? new Set(), facts })
}

/**
 * The place that a search is to be kept for.
 * @throws ApiError NOT_FOUND for a place that the caller does not belong to; NOT_PERMITTED without filter_share there
 */
export async function openSearchPlace(caller: Caller, namespaceUuid: string): Promise<Membership> {
  const place = (await caller.memberships()).find((one) => one.namespaceUuid === namespaceUuid.toLowerCase())
  if (!place) throw new ApiError('NOT_FOUND', { subtype: 'namespace_id' })
  if (!mayDo(filterAdd.decides.namespace_id, place)) throw new ApiError('NOT_PERMITTED')
  return place
}

/**
 * The account that a search belongs to: the one of its place, or the one asked for; undefined when neither is named.
 * @throws ApiError INVALID_FIELD when both are named and differ; NOT_FOUND for an account without the caller
 */
export async function accountOfSearch(
  caller: Caller,
  placeAccount: string | null | undefined,
  asked: string | undefined,
): Promise<string | null | undefined> {
  if (placeAccount !== undefined) {
    if (asked !== undefined && asked !== placeAccount) throw new ApiError('INVALID_FIELD', { subtype: 'account_id' })
    return placeAccount
  }
  if (asked === undefined) return undefined
  const isMember = (await caller.memberships()).some((one) => one.accountUuid === asked)
  if (!isMember) throw new ApiError('NOT_FOUND', { subtype: 'account_id' })
  return asked
}
