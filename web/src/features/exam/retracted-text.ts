import type { Study } from '@hilum/contract/entities/study'
import { type DateFormat, formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'

/**
 * The retraction of a study in words: by whom, when and why, of which a copy without names says the moment alone; undefined
 * for one that nobody took back.
 */
export function retractedText(
  key: 'exam.retracted' | 'exam.retractedBefore',
  { retraction }: Study,
  dateFormat: DateFormat,
  timeZone: string,
): string | undefined {
  if (!retraction) return undefined
  const { at, by_name: who, reason } = retraction
  const when = formatStamp(at, dateFormat, timeZone) ?? ''
  return reason === '' ? t(`${key}Untold`, { when }) : t(key, { who, when, reason })
}
