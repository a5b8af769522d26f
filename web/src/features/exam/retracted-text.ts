import type { Study } from '@hilum/contract/entities/study'
import { type DateFormat, formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'

/** The retraction of a study in words: by whom, when and why; undefined for one that nobody took back. */
export function retractedText(
  key: 'exam.retracted' | 'exam.retractedBefore',
  { retraction }: Study,
  dateFormat: DateFormat,
  timeZone: string,
): string | undefined {
  if (!retraction) return undefined
  const { at, by_name: who, reason } = retraction
  return t(key, { who, when: formatStamp(at, dateFormat, timeZone) ?? '', reason })
}
