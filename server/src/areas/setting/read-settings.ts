import { type AccountSetting, isAccountSetting, isSettingName } from '@hilum/contract/account-settings'
import { ApiError } from '@hilum/contract/errors'

export type SentSettings = Partial<Record<AccountSetting, string>>

const prefix = 'setting_'

/**
 * Reads settings that were sent in `settings` and singly as `setting_{name}`, of which the single ones win; an empty
 * value takes one back.
 * @throws ApiError INVALID_SETTING, INVALID_SETTING_VALUE naming the setting
 */
export function readSettings(
  sent: Readonly<Record<string, unknown>> | undefined,
  raw: Readonly<Record<string, unknown>>,
): SentSettings {
  const singles = Object.entries(raw)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), Array.isArray(value) ? value[0] : value] as const)
  const read: SentSettings = {}
  for (const [name, value] of [...Object.entries(sent ?? {}), ...singles]) {
    if (!isSettingName(name)) throw new ApiError('INVALID_SETTING', { subtype: name })
    const text = toText(value)
    if (text === undefined || !isAccountSetting(name, text)) {
      throw new ApiError('INVALID_SETTING_VALUE', { subtype: name })
    }
    read[name] = text
  }
  return read
}

function toText(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim()
  return typeof value === 'object' ? JSON.stringify(value) : undefined
}
