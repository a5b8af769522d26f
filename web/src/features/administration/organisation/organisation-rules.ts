import { isAccountSetting, isIssuer, maxAccountName } from '@hilum/contract/account-settings'
import { linkMinutes, linkReminderHours, maxLinkMinutes } from '@hilum/contract/limits'
import { t } from '../../../labels/label.ts'
import type { OrganisationSettings } from '../../../queries/account-settings.ts'
import { changedFields } from '../../../queries/changed-fields.ts'

/** Most characters of the words beside a share code. */
const maxShareDescription = 500
/** Bytes of a logo's file. */
const maxLogoBytes = 64 * 1024

const linkEnds = [60, 1440, 10_080, 43_200, 129_600, maxLinkMinutes] as const

/** A number of minutes in its largest whole unit. */
function durationText(minutes: number): string {
  if (minutes % 1440 === 0) return t('organisation.days', { count: minutes / 1440 })
  return minutes % 60 === 0
    ? t('organisation.hours', { count: minutes / 60 })
    : t('organisation.minutes', { count: minutes })
}

/** Choices of minutes; one that a program set stays to be chosen. */
export function durationOptions(chosen: string, without: number) {
  const current = chosen === '' ? without : Number(chosen)
  const all = new Set<number>([...linkEnds, current])
  return [...all].toSorted((a, b) => a - b).map((one) => ({ value: String(one), label: durationText(one) }))
}

const reminderHours = [0, 12, linkReminderHours, 48, 72, 168] as const

/** Hours before the end of a link; one that a program set stays to be chosen. */
export function reminderOptions(chosen: string) {
  const all = new Set<number>([...reminderHours, ...(chosen === '' ? [] : [Number(chosen)])])
  return [...all]
    .toSorted((a, b) => a - b)
    .map((one) => ({
      value: String(one),
      label: one === 0 ? t('organisation.linkReminderNever') : durationText(one * 60),
    }))
}

/** Faults of the form in words, by field. */
export function organisationFaults(form: OrganisationSettings): Partial<Record<keyof OrganisationSettings, string>> {
  const name = form.name.trim()
  const isOver = Number(form.link_minutes || linkMinutes) > Number(form.link_most_minutes || maxLinkMinutes)
  return {
    ...(name === '' || name.length > maxAccountName ? { name: t('organisation.nameWrong') } : {}),
    ...(isIssuer(form.issuer.trim()) ? {} : { issuer: t('organisation.issuerWrong') }),
    ...(isAccountSetting('other_issuers', form.other_issuers.trim())
      ? {}
      : { other_issuers: t('organisation.otherIssuersWrong') }),
    ...(isAccountSetting('help_address', form.help_address.trim())
      ? {}
      : { help_address: t('organisation.helpWrong') }),
    ...(isAccountSetting('tag_colors', form.tag_colors) ? {} : { tag_colors: t('organisation.tagColorsWrong') }),
    ...(form.share_description.trim().length > maxShareDescription
      ? { share_description: t('organisation.shareDescriptionWrong', { most: maxShareDescription }) }
      : {}),
    ...(isOver ? { link_minutes: t('organisation.linkOver') } : {}),
  }
}

/** Fields that are other than those loaded, without blanks around them. */
export function changedSettings(
  loaded: OrganisationSettings,
  form: OrganisationSettings,
): Partial<OrganisationSettings> {
  const trimmed = Object.entries(form).map(([name, value]) => [name, value.trim()])
  return changedFields(loaded, Object.fromEntries(trimmed) as OrganisationSettings) // the same names
}

/** Reads a picture as a data URL; undefined where it cannot be a logo. */
export async function readLogo(file: File): Promise<string | undefined> {
  if (file.size > maxLogoBytes) return undefined
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')))
    reader.readAsDataURL(file)
  })
  return isAccountSetting('brand_logo', url) ? url : undefined
}
