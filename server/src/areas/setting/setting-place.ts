import { type Act, mayDo } from '@hilum/contract/acts'
import { ApiError } from '@hilum/contract/errors'
import type { Caller, Membership } from '../../access/caller.ts'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import type { Db } from '../../db/database.ts'
import type { SettingScope } from './setting.sql.ts'

interface SettingPlace {
  scope: SettingScope
  uuid: string
  /** The caller's memberships of the accounts of somebody else; empty for the caller's own settings. */
  accounts: readonly Membership[]
}

/**
 * Where a key lives: `temp_…` with the caller's session, all others with the user. Settings of a person hold in all of the
 * person's accounts, so that an administrator of one of several may not see or change them.
 * @param act that the caller needs in each account of somebody else
 * @throws ApiError NOT_FOUND for a person of no account of the caller's, NOT_PERMITTED
 */
export async function settingPlaceOf(
  db: Db,
  caller: Caller,
  { key, user_id: userUuid }: { key: string; user_id?: string | undefined },
  act: Act,
): Promise<SettingPlace> {
  const isTemporary = key.startsWith('temp_')
  if (userUuid === undefined || userUuid === caller.userUuid) {
    const own = isTemporary ? ({ scope: 'session', uuid: caller.sessionUuid } as const) : undefined
    return { ...(own ?? { scope: 'user', uuid: caller.userUuid }), accounts: [] }
  }
  const administered = (await caller.memberships()).filter((one) => one.kind === 'account' && mayDo(act, one))
  // refused before the person is looked for, so that the answer tells of nobody
  if (administered.length === 0) throw new ApiError('NOT_PERMITTED', { subtype: 'user_id' })
  const ofPerson = await listAccountsOfPerson(db, userUuid)
  const shared = administered.filter((one) => ofPerson.includes(one.ownerUuid))
  if (shared.length === 0) throw new ApiError('NOT_FOUND', { subtype: 'user_id' })
  if (shared.length < ofPerson.length) throw new ApiError('NOT_PERMITTED', { subtype: 'OTHER_ACCOUNTS' })
  if (isTemporary) throw new ApiError('NOT_PERMITTED', { subtype: 'key' })
  return { scope: 'user', uuid: userUuid, accounts: shared }
}
