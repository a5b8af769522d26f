import type { Caller } from '../../access/caller.ts'

/** A caller as audit rows of the own login name the person. */
export async function personOf(
  caller: Caller,
): Promise<{ user_uuid: string; user_name: string; account_uuid: string | null }> {
  const account = (await caller.memberships()).find((one) => one.kind === 'account')
  return { user_uuid: caller.userUuid, user_name: caller.name, account_uuid: account?.accountUuid ?? null }
}
