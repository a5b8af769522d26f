import { mayDo } from '@hilum/contract/acts'
import { filterShare, shareKinds } from '@hilum/contract/calls/filter'
import { ApiError } from '@hilum/contract/errors'
import type { Membership } from '../../access/caller.ts'
import type { SearchShareTarget } from './share-targets.ts'

/**
 * The one target that was named.
 * @throws ApiError INVALID_PARAMETERS for none or several
 */
export function readShareTarget(
  input: Partial<Record<`${SearchShareTarget['kind']}_id`, string | undefined>>,
): SearchShareTarget {
  const named = shareKinds.flatMap((kind) => {
    const uuid = input[`${kind}_id`]
    return uuid ? [{ kind, uuid: uuid.toLowerCase() }] : []
  })
  const [target] = named
  if (!target || named.length > 1) throw new ApiError('INVALID_PARAMETERS')
  return target
}

/**
 * Refuses targets that the caller may not share searches with.
 * @param accounts of a user or a role
 * @throws ApiError NOT_FOUND for what the caller has nothing to do with; NOT_PERMITTED without filter_share there
 */
export function demandShareRight(
  target: SearchShareTarget,
  userUuid: string,
  memberships: readonly Membership[],
  accounts: readonly string[],
): void {
  if (target.kind === 'user' && target.uuid === userUuid) return // shows it to nobody else
  const isPerson = target.kind === 'user' || target.kind === 'role'
  const places = memberships.filter((one) =>
    isPerson
      ? one.kind === 'account' && accounts.includes(one.ownerUuid)
      : one.kind === target.kind && one.ownerUuid === target.uuid,
  )
  if (places.length === 0) throw new ApiError('NOT_FOUND', { subtype: `${target.kind}_id` })
  if (!places.some((one) => mayDo(filterShare.decides.target, one))) throw new ApiError('NOT_PERMITTED')
}
