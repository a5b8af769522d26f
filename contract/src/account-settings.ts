import { parseBoundedJson } from './bounded-json.ts'
import {
  linkMinutes,
  linkReminderHours,
  maxLinkMinutes,
  mostReminderHours,
  mostUploadMegabytes,
  uploadMegabytes,
} from './limits.ts'
import { readTagColors } from './tag-colors.ts'

/** Settings that an account keeps by `account/set`, as `setting_{NAME}`; an empty value takes one back. */
export const accountSettings = [
  'other_issuers',
  'outside_issuers',
  'help_address',
  'link_minutes',
  'link_most_minutes',
  'link_reminder_hours',
  'upload_megabytes',
  'allow_copies',
  'brand_logo',
  'brand_color',
  'tag_colors',
  'inbox_allow_switch_between_modes',
  'first_steps',
  'enable_inbox_view',
  'enable_dicom_wrapping',
  'auto_wrap_images',
  'enable_dicomdir_scan',
  'enable_multipart_uploader',
  'ui_json',
] as const
export type AccountSetting = (typeof accountSettings)[number]

/** A setting's default, the scopes that may override the setting, and whether callers without a session may read it. */
interface SettingRule {
  default: string
  byRole?: true
  byNamespace?: true
  byUser?: true
  unauthenticated?: true
}

const flagOff = { default: '0' } as const
const uploadRule = { default: '0', byNamespace: true } as const

/** The settings of an account by name; those of the wire keep its defaults and overrides. */
export const settingRules: Readonly<Record<AccountSetting, SettingRule>> = {
  other_issuers: { default: '' },
  outside_issuers: { default: '' },
  help_address: { default: '', unauthenticated: true },
  link_minutes: { default: String(linkMinutes) },
  link_most_minutes: { default: String(maxLinkMinutes) },
  link_reminder_hours: { default: String(linkReminderHours) },
  upload_megabytes: { default: String(uploadMegabytes) },
  allow_copies: flagOff,
  brand_logo: { default: '', unauthenticated: true },
  brand_color: { default: '', unauthenticated: true },
  tag_colors: { default: '' },
  inbox_allow_switch_between_modes: flagOff,
  first_steps: { default: '' },
  enable_inbox_view: flagOff,
  enable_dicom_wrapping: uploadRule,
  auto_wrap_images: uploadRule,
  enable_dicomdir_scan: { default: '1' },
  enable_multipart_uploader: { default: '1', byNamespace: true },
  ui_json: { default: '', byRole: true, byNamespace: true, byUser: true },
}

/** Whether an account has a setting of this name. */
export function isSettingName(name: string): name is AccountSetting {
  return Object.hasOwn(settingRules, name)
}

/** Most characters of a logo, as a data URL: 64 KB of image. */
export const maxLogoLength = 90_000
/** Most characters of an organisation's name, and of its assigning authority: that of DICOM's LO. */
export const maxAccountName = 100
const maxIssuer = 64
/** Most characters of the other names of an assigning authority, with the commas between them. */
const maxOtherIssuers = 1000

/** Whether a text can name an organisation. */
export function isAccountName(text: string): boolean {
  return text.length > 0 && text.length <= maxAccountName && !/\p{Cc}/u.test(text)
}

/** Whether a setting takes a value; an empty one always. */
export function isAccountSetting(name: AccountSetting, value: string): boolean {
  if (value === '') return true
  switch (name) {
    case 'other_issuers':
    case 'outside_issuers':
      return value.length <= maxOtherIssuers && value.split(',').every((one) => isIssuer(one.trim()))
    case 'help_address':
      return value.length <= 300 && (/^https?:\/\/[^\s"'<>]+$/.test(value) || /^[^\s@"'<>]+@[^\s@"'<>]+$/.test(value))
    case 'link_minutes':
    case 'link_most_minutes':
      return /^\d{1,6}$/.test(value) && Number(value) >= 1 && Number(value) <= maxLinkMinutes
    case 'link_reminder_hours':
      return /^\d{1,3}$/.test(value) && Number(value) <= mostReminderHours
    case 'upload_megabytes':
      return /^\d{1,8}$/.test(value) && Number(value) >= 1 && Number(value) <= mostUploadMegabytes
    case 'brand_logo':
      return value.length <= maxLogoLength && /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(value)
    case 'brand_color':
      return /^#[0-9a-f]{6}$/i.test(value)
    case 'tag_colors':
      return readTagColors(value) !== undefined
    case 'first_steps':
      return value === 'open' || value === 'dismissed'
    case 'allow_copies':
    case 'inbox_allow_switch_between_modes':
    case 'enable_inbox_view':
    case 'enable_dicom_wrapping':
    case 'auto_wrap_images':
    case 'enable_dicomdir_scan':
    case 'enable_multipart_uploader':
      return value === '0' || value === '1'
    case 'ui_json':
      return isUiJson(value)
  }
}

/** Longest JSON for screens, in characters. */
const longestUiJson = 20_000

/** Whether a text is a JSON object that screens may be given. */
export function isUiJson(text: string): boolean {
  if (text.length > longestUiJson) return false
  try {
    const read: unknown = parseBoundedJson(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read)
  } catch {
    return false // no JSON
  }
}

/**
 * Logo and colour of an account for a page that anybody opens; empty where none is kept. Settings that were written in the
 * database, past the form, stand there only as a picture and a colour.
 */
export function publicBrandOf(
  settings: Readonly<Record<string, string>>,
): Record<'brand_logo' | 'brand_color', string> {
  const valid = (name: 'brand_logo' | 'brand_color') => {
    const stored = settings[name] ?? ''
    return isAccountSetting(name, stored) ? stored : ''
  }
  return { brand_logo: valid('brand_logo'), brand_color: valid('brand_color') }
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

/** Megabytes that a request or a share code may store unless somebody says otherwise, by the settings of the account. */
export function uploadMegabytesOf({ upload_megabytes: set = '' }: Readonly<Record<string, string>>): number {
  return set && isAccountSetting('upload_megabytes', set) ? Number(set) : uploadMegabytes
}
