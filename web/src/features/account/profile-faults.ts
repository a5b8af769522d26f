import { isPhoneNumber } from '@hilum/contract/phone-rule'
import { ApiFailure, failureCode } from '../../api/api-failure.ts'
import { isDateFormat } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import type { OwnProfile } from '../../queries/own-profile.ts'

export type ProfileForm = OwnProfile & { dateFormat: string }
/** Messages beside the fields of the form. */
export type ProfileFaults = Partial<Record<keyof ProfileForm, string>>

const examplePhone = '+12025550123'

/** ACCOUNT-03, ACCOUNT-04 */
export function findProfileFaults({ first, last, mobile_phone: phone, dateFormat }: ProfileForm): ProfileFaults {
  return {
    ...(first.trim() ? {} : { first: t('profile.firstRequired') }),
    ...(last.trim() ? {} : { last: t('profile.lastRequired') }),
    ...(isDateFormat(dateFormat) ? {} : { dateFormat: t('profile.dateFormatRequired') }),
    ...(isPhoneNumber(phone) ? {} : { mobile_phone: t('profile.phoneWrong', { phone: examplePhone }) }),
  }
}

/** The server's refusal, beside the field that it is about (ERROR-07). */
export function faultsOfProfileFailure(failure: unknown): ProfileFaults {
  const code = failureCode(failure)
  const field = failure instanceof ApiFailure ? failure.subtype : undefined
  if (code === 'INVALID_TIME_ZONE') return { time_zone: t('profile.zoneWrong') }
  if (code === 'LOCKOUT') return { share_code: t('profile.shareCodeLocked') }
  if (code !== 'INVALID_FIELD') return {}
  switch (field) {
    case 'first':
    case 'last':
      return { [field]: t('profile.nameWrong') }
    case 'mobile_phone':
      return { mobile_phone: t('profile.phoneWrong', { phone: examplePhone }) }
    case 'share_code':
      return { share_code: t('profile.shareCodeTaken') }
    case 'share_description':
      return { share_description: t('profile.descriptionWrong') }
    default:
      return {}
  }
}
