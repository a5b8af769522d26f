import type { settingSet } from '@hilum/contract/calls/setting'
import type { Handler } from '../handler.ts'
import { settingPlaceOf } from './setting-place.ts'
import { countSettings, deleteSetting, findSetting, putSetting } from './setting.sql.ts'

const maxKeyLength = 200
const maxValueLength = 100_000
const maxKeys = 1000

export const set: Handler<typeof settingSet> = async ({ services, input, caller, fail }) => {
  const { key, value } = input
  const { scope, uuid } = settingPlaceOf(caller, input)
  if (value === '__DELETE__') {
    await deleteSetting(services.db, scope, uuid, key)
    return {}
  }
  if (key.length > maxKeyLength || value.length > maxValueLength) throw fail('INVALID_SETTING_VALUE', { subtype: key })
  const isFull = (await countSettings(services.db, scope, uuid)) >= maxKeys
  if (isFull && (await findSetting(services.db, scope, uuid, key)) === undefined) {
    throw fail('INVALID_SETTING_VALUE', { subtype: key })
  }
  await putSetting(services.db, scope, uuid, key, value)
  return {}
}
