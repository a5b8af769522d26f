import { factsOf, mayDo } from '@hilum/contract/acts'
import type { Caller } from '../../access/caller.ts'
import type { WorkOwner } from './work-list.sql.ts'

/** Whether a caller may cancel work and have it done once more: its owner and administrators of the account may. */
export async function mayTendWork(
  { userUuid, memberships }: Pick<Caller, 'userUuid' | 'memberships'>,
  work: Pick<WorkOwner, 'user_uuid' | 'account_uuid'>,
): Promise<boolean> {
  const facts = factsOf({ ownWork: work.user_uuid === userUuid })
  const account = (await memberships()).find((one) => one.kind === 'account' && one.ownerUuid === work.account_uuid)
  return mayDo('tendWork', { permissions: account?.permissions ?? new Set(), facts })
}
