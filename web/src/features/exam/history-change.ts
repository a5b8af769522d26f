import type { Study } from '@hilum/contract/entities/study'
import { type DateFormat, formatDate, formatStamp, formatTime } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { type HistoryChange, momentFields } from '../../queries/study-history.ts'
import { fieldLabel, fieldText } from '../../fields/custom-field-text.ts'

/** A change of the history in words: values as the summary writes them, the old ones as the field reads today. */
export function changeText(
  change: HistoryChange,
  { customfields }: Study,
  dateFormat: DateFormat,
  timeZone: string,
): string {
  const { name, label } = change
  const custom = label ? undefined : customfields.find((one) => one.name === name)
  const valueText = (value: string) => {
    if (custom) return fieldText({ ...custom, value }, dateFormat)
    if (name === 'patient_name' || name === 'referring_physician') return nameText(value)
    if (name === 'patient_birth_date' || name === 'study_date') return formatDate(value, dateFormat)
    if (name === 'study_time') return formatTime(value)
    if (momentFields.has(name)) return formatStamp(value, dateFormat, timeZone)
    return value
  }
  // a value that is no date or time stands as it is
  const texts = [change.before, change.after].map((value) => valueText(value) || value)
  // two values that read alike are shown as they are kept
  const [before, after] = texts[0] === texts[1] ? [change.before, change.after] : texts
  return t('history.change', {
    field: label ?? (custom ? fieldLabel(custom) : name),
    before: before || t('field.none'),
    after: after || t('field.none'),
  })
}
