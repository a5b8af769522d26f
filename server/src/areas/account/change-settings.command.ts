import { accountSettings, type AccountSetting } from '@hilum/contract/account-settings'
import type { Tx } from '../../db/database.ts'
import { deleteSetting, listSettings, putSetting } from '../setting/setting.sql.ts'

type Changed = Record<string, readonly [before: string, now: string]>

/**
 * Keeps settings of an account; an empty one is taken back.
 * @returns what changed, for the audit; of a logo only that it did
 */
export async function changeSettings(
  tx: Tx,
  accountUuid: string,
  sent: Readonly<Partial<Record<AccountSetting, string>>>,
): Promise<Changed> {
  const before = await listSettings(tx, 'account', accountUuid, accountSettings)
  const changed: Changed = {}
  for (const name of accountSettings) {
    const [was, now] = [before[name] ?? '', sent[name]]
    if (now === undefined || now === was) continue
    if (now === '') await deleteSetting(tx, 'account', accountUuid, name)
    else await putSetting(tx, 'account', accountUuid, name, now)
    changed[name] = name === 'brand_logo' ? [was && 'image', now && 'image'] : [was, now]
  }
  return changed
}
