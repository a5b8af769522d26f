import type { Caller } from '../../access/caller.ts'
import type { SettingScope } from './setting.sql.ts'

/** Where a key of the caller lives: `temp_…` with the session, all others with the user. */
export function placeOf(caller: Caller, key: string): { scope: SettingScope; uuid: string } {
  return key.startsWith('temp_')
    ? { scope: 'session', uuid: caller.sessionUuid }
    : { scope: 'user', uuid: caller.userUuid }
}
