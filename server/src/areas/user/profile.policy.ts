import { isPhoneNumber } from '@hilum/contract/phone-rule'
import { isKnownZone } from '../../db/filter-zone.ts'
import type { ProfileChange } from './user.sql.ts'

const longest = {
  first: 100,
  last: 100,
  share_code: 100,
  share_description: 2000,
  terms_md5: 100,
  privacy_md5: 100,
  indicator_md5: 100,
} as const
/** Only a description has lines. */
const controlSign = /\p{Cc}/u
const controlSignInLines = /[^\P{Cc}\t\r\n]/u
const maxUiJsonLength = 100_000

/** The first field of a profile that is not acceptable. */
export function findProfileFault(
  change: ProfileChange,
): { code: 'INVALID_FIELD' | 'INVALID_TIME_ZONE'; field: string } | undefined {
  for (const [field, most] of Object.entries(longest)) {
    const value = change[field as keyof typeof longest]
    const refused = field === 'share_description' ? controlSignInLines : controlSign
    if (value !== undefined && (value.length > most || refused.test(value))) return { code: 'INVALID_FIELD', field }
  }
  if (!isPhoneNumber(change.mobile_phone ?? '')) return { code: 'INVALID_FIELD', field: 'mobile_phone' }
  if (change.time_zone && !isKnownZone(change.time_zone)) return { code: 'INVALID_TIME_ZONE', field: 'time_zone' }
  const uiJson = change.ui_json === undefined ? '' : JSON.stringify(change.ui_json)
  return uiJson.length > maxUiJsonLength ? { code: 'INVALID_FIELD', field: 'ui_json' } : undefined
}
