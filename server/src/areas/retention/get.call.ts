import type { retentionGet } from '@hilum/contract/calls/retention'
import { restoreDays } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { findSetting } from '../setting/setting.sql.ts'
import { countBin, listRuledPlaces } from './retention.sql.ts'

export const get: Handler<typeof retentionGet> = async ({ services: { db }, on }) => {
  const [own, places, bin] = await Promise.all([
    findSetting(db, 'account', on.ownerUuid, 'retention_days'),
    listRuledPlaces(db, on.ownerUuid),
    countBin(db, on.ownerUuid, new Date()),
  ])
  return { retention_days: own === undefined ? null : Number(own), restore_days: restoreDays, places, bin }
}
