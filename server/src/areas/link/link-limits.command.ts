import { linkLimitsOf, uploadMegabytesOf } from '@hilum/contract/account-settings'
import type { Db } from '../../db/database.ts'
import { listSettings } from '../setting/setting.sql.ts'

/** Minutes that links to studies of an account live, unless somebody says otherwise, and at most. */
export async function findLinkLimits(db: Db, accountUuid: string): Promise<{ minutes: number; most: number }> {
  return linkLimitsOf(await listSettings(db, 'account', accountUuid, ['link_minutes', 'link_most_minutes']))
}

/** Megabytes that a request or a share code of an account may store unless somebody says otherwise. */
export async function findUploadMegabytes(db: Db, accountUuid: string): Promise<number> {
  return uploadMegabytesOf(await listSettings(db, 'account', accountUuid, ['upload_megabytes']))
}
