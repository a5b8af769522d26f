import type { settingGetAll } from '@hilum/contract/calls/setting'
import type { Handler } from '../handler.ts'
import { listSettings } from './setting.sql.ts'

export const getAll: Handler<typeof settingGetAll> = async ({ services, caller }) => ({
  settings: await listSettings(services.db, 'user', caller.userUuid),
})
