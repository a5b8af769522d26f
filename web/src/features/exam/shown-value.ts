import { type DateFormat, formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'

/** A demographic value as a person reads it, a dash for none. */
export function shownValue(field: string, value: string, dateFormat: DateFormat): string {
  const text =
    field === 'patient_name'
      ? nameText(value)
      : field === 'patient_birth_date' || field === 'study_date'
        ? formatDate(value.replaceAll('-', ''), dateFormat) || value
        : value
  return text || t('field.none')
}
