import type { accountSettingsValidate } from '@hilum/contract/calls/account-settings-calls'
import type { Handler } from '../handler.ts'
import { readSettings } from '../setting/read-settings.ts'

export const settingsValidate: Handler<typeof accountSettingsValidate> = async ({ input, raw }) => {
  readSettings(input.settings, raw)
  return {}
}
