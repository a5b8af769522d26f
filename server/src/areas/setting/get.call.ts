import { settingGet } from '@hilum/contract/calls/setting'
import type { Handler } from '../handler.ts'
import { settingPlaceOf } from './setting-place.ts'
import { findSetting } from './setting.sql.ts'

export const get: Handler<typeof settingGet> = async ({ services, input, caller }) => {
  const { scope, uuid } = await settingPlaceOf(services.db, caller, input, settingGet.asks['another person'])
  return { value: (await findSetting(services.db, scope, uuid, input.key)) ?? '' }
}
