import { linkMinutes, maxLinkMinutes, mostReminderHours } from './limits.ts'

/** Settings that an account keeps by `account/set`, as `setting_{NAME}`; an empty value takes one back. */
export const accountSettings = [
  'help_address',
  'link_minutes',
  'link_most_minutes',
  'link_reminder_hours',
  'brand_logo',
  'brand_color',
  'inbox_allow_switch_between_modes',
  'first_steps',
] as const
export type AccountSetting = (typeof accountSettings)[number]

/** Most characters of a logo, as a data URL: 64 KB of image. */
export const maxLogoLength = 90_000
/** Most characters of an organisation's name, and of its assigning authority: that of DICOM's LO. */
export const maxAccountName = 100
const maxIssuer = 64

/** Whether a text can name an organisation. */
export function isAccountName(text: string): boolean {
  return text.length > 0 && text.length <= maxAccountName && !/\p{Cc}/u.test(text)
}

/** Whether a setting takes a value; an empty one always. */
export function isAccountSetting(name: AccountSetting, value: string): boolean {
  if (value === '') return true
  switch (name) {
    case 'help_address':
      return value.length <= 300 && (/^https?:\/\/[^\s"'<>]+$/.test(value) || /^[^\s@"'<>]+@[^\s@"'<>]+$/.test(value))
    case 'link_minutes':
    case 'link_most_minutes':
      return /^\d{1,6}$/.test(value) && Number(value) >= 1 && Number(value) <= maxLinkMinutes
    case 'link_reminder_hours':
      return /^\d{1,3}$/.test(value) && Number(value) <= mostReminderHours
    case 'brand_logo':
      return value.length <= maxLogoLength && /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(value)
    case 'brand_color':
      return /^#[0-9a-f]{6}$/i.test(value)
    case 'first_steps':
      return value === 'open' || value === 'dismissed'
    case 'inbox_allow_switch_between_modes':
      return value === '0' || value === '1'
  }
}

/** Whether a text can name an assigning authority: no signs that part values in DICOM or HL7. */
export function isIssuer(text: string): boolean {
  return text.length > 0 && text.length <= maxIssuer && !/[\p{Cc}\\^&~|]/u.test(text)
}

/** Minutes that links to studies live unless somebody says otherwise, and at most, by the settings of their account. */
export function linkLimitsOf(settings: Readonly<Record<string, string>>): { minutes: number; most: number } {
  const read = (name: AccountSetting, without: number) =>
    settings[name] && isAccountSetting(name, settings[name]) ? Number(settings[name]) : without
  const most = read('link_most_minutes', maxLinkMinutes)
  return { minutes: Math.min(read('link_minutes', linkMinutes), most), most }
}
