import { type DateFormat, formatDate, writtenFormat } from '../../format/dates.ts'
import { formatCount } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { hasLabel, t } from '../../labels/label.ts'
import type { SkipReason } from './picked-files.ts'
import type { UploadFailure } from './upload-job.ts'

export const countFiles = (count: number) => countLabel('upload.count.files', count)
export const countPatients = (count: number) => countLabel('upload.count.patients', count)

/** @param parts how many of the studies are without some of their series */
export const studyCountText = (count: number, parts = 0) =>
  countLabel('upload.count.studies', count) + partText(count, parts)

/** Words that follow a number of studies of which some are without some of their series. */
export function partText(count: number, parts: number): string {
  if (parts === 0) return ''
  return count === 1 ? t('upload.count.onlyPart') : t('upload.count.part', { count: parts })
}
/** A plural label with its number grouped by thousands. */
function countLabel(key: 'upload.count.files' | 'upload.count.studies' | 'upload.count.patients', count: number) {
  return t(key, { count }).replace(String(count), formatCount(count))
}

export const patientName = (name: string) => nameText(name) || t('upload.select.noName')

/** A birth date nobody can misread: in the person's format, and with the month's name. */
export function birthDateText(date: string, format: DateFormat): string {
  if (!date) return t('upload.select.noBirthDate')
  const long = longDate(date)
  return long ? `${formatDate(date, format)} (${long})` : formatDate(date, format)
}

/** `YYYYMMDD` as "21 May 2006"; undefined when it is no full date. */
export function longDate(date: string): string | undefined {
  return /^\d{8}$/.test(date) ? formatDate(date, writtenFormat) : undefined
}

export function sexText(sex: string): string {
  const key = `upload.sex.${sex}`
  return hasLabel(key) ? textOf(key) : sex
}

/** Why a file is left out, in words. */
export function skipText(reason: SkipReason): string {
  return reason.kind === 'duplicate'
    ? t('upload.skip.duplicateOf', { path: reason.of })
    : t(`upload.skip.${reason.kind}`)
}

/** Why something failed, in words; with the server's own word for it where it gave one. */
export function uploadFaultText({
  kind,
  status,
  detail,
  holder,
}: Pick<UploadFailure, 'kind' | 'status' | 'detail' | 'holder'>): string {
  if (detail === 'LOCKED') {
    return holder ? t('upload.fault.locked', { who: holder }) : t('upload.fault.lockedBySomebody')
  }
  if (detail === 'MRN_HELD') return t('upload.fault.mrnHeld')
  if (detail === 'INVALID_CUSTOMFIELD') return t('upload.fault.fields')
  const reason = t(`upload.fault.${kind}`)
  const word = detail || (status > 0 ? String(status) : '')
  return word ? t('upload.fault.withDetail', { reason, detail: word }) : reason
}

/** How long it takes still, in the unit that fits. */
export function timeText(seconds: number): string {
  if (seconds < 90) return t('upload.left.seconds', { count: seconds })
  if (seconds < 90 * 60) return t('upload.left.minutes', { count: Math.round(seconds / 60) })
  return t('upload.left.hours', { count: Math.round(seconds / 3600) })
}

/** A key that was looked up by a value of the data and has no slots. */
const textOf = (key: string) => t(key as 'upload.sex.M')
