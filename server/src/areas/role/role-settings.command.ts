import { accountSettings, settingRules } from '@hilum/contract/account-settings'
import { mayDo } from '@hilum/contract/acts'
import { roleSettings } from '@hilum/contract/calls/account-settings-calls'
import { ApiError } from '@hilum/contract/errors'
import type { Membership } from '../../access/caller.ts'
import type { Db, Tx } from '../../db/database.ts'
import { readSettings, type SentSettings } from '../setting/read-settings.ts'
import { deleteSetting, listSettings, putSetting } from '../setting/setting.sql.ts'

const settable = accountSettings.filter((name) => settingRules[name].byRole)

/** The settings of an account that a role sets otherwise, by name. */
export function listRoleSettings(db: Db, roleUuid: string): Promise<Record<string, string>> {
  return listSettings(db, 'role', roleUuid, settable)
}

/**
 * Reads settings that were sent for a role, in a hash and singly.
 * @throws ApiError INVALID_SETTING, INVALID_SETTING_VALUE, NO_ROLE_OVERRIDE naming the setting; NOT_PERMITTED where the
 *   caller may set none
 */
export function readRoleSettings(
  on: Membership,
  sent: Readonly<Record<string, unknown>> | undefined,
  raw: Readonly<Record<string, unknown>>,
): SentSettings {
  const read = readSettings(sent, raw)
  const names = Object.keys(read)
  if (names.length > 0 && !mayDo(roleSettings.asks.settings, on)) throw new ApiError('NOT_PERMITTED')
  const unfit = names.find((name) => !settable.some((one) => one === name))
  if (unfit) throw new ApiError('NO_ROLE_OVERRIDE', { subtype: unfit })
  return read
}

/** Stores settings of a role; an empty value takes one back. @returns old and new value of those that changed, for the record */
export async function putRoleSettings(
  tx: Tx,
  roleUuid: string,
  sent: SentSettings,
): Promise<Record<string, [string, string]>> {
  const before = await listRoleSettings(tx, roleUuid)
  const changed = settable.filter((name) => sent[name] !== undefined && sent[name] !== (before[name] ?? ''))
  for (const name of changed) {
    const value = sent[name] ?? ''
    if (value === '') await deleteSetting(tx, 'role', roleUuid, name)
    else await putSetting(tx, 'role', roleUuid, name, value)
  }
  return Object.fromEntries(changed.map((name) => [name, [before[name] ?? '', sent[name] ?? '']]))
}
