import { ApiError } from '@hilum/contract/errors'
import type { Caller } from '../../access/caller.ts'
import type { SettingScope } from './setting.sql.ts'

/**
 * Where a key of the caller lives: `temp_…` with the session, all others with the user.
 * @throws ApiError NOT_FOUND when another user is named
 */
export function settingPlaceOf(
  caller: Caller,
  { key, user_id: userUuid }: { key: string; user_id?: string | undefined },
): { scope: SettingScope; uuid: string } {
  if (userUuid !== undefined && userUuid !== caller.userUuid) {
    throw new ApiError('NOT_FOUND', { subtype: 'user_id' })
  }
  return key.startsWith('temp_')
    ? { scope: 'session', uuid: caller.sessionUuid }
    : { scope: 'user', uuid: caller.userUuid }
}
