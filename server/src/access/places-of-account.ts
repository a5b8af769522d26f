import { type Act, mayDo } from '@hilum/contract/acts'
import type { Caller, Membership } from './caller.ts'

/** The account itself, its groups and locations in which the caller may do an act; personal places are not the account's. */
export async function placesOfAccount(caller: Caller, accountUuid: string, act: Act): Promise<readonly Membership[]> {
  const places = (await caller.memberships()).filter((one) => one.accountUuid === accountUuid && one.kind !== 'user')
  return places.filter((one) => mayDo(act, one))
}
