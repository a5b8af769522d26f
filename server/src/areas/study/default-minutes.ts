import { shareExpiresSetting } from '@hilum/contract/calls/account-connect'
import type { Db } from '../../db/database.ts'
import { findSetting } from '../setting/setting.sql.ts'

/** Minutes until other accounts lose access, where nobody says otherwise; 0 for never. */
export async function defaultMinutes(db: Db, accountUuid: string): Promise<number> {
  return Number((await findSetting(db, 'account', accountUuid, shareExpiresSetting)) ?? 0)
}
