import type { Study } from '@hilum/contract/entities/study'
import { type DateFormat, formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { outsideMrn } from '../../queries/outside-mrn.ts'

type ShownField =
  | 'patient_name'
  | 'patientid'
  | 'patient_birth_date'
  | 'patient_sex'
  | 'accession_number'
  | 'study_description'

/** A demographic value as a person reads it, a dash for none. */
export function shownValue(field: string, value: string, dateFormat: DateFormat): string {
  const text =
    field === 'patient_name' || field === 'referring_physician'
      ? nameText(value)
      : field === 'patient_birth_date' || field === 'study_date'
        ? formatDate(value.replaceAll('-', ''), dateFormat) || value
        : value
  return text || t('field.none')
}

/** The value that an exam has now, its MRN with the words that say whose that is where it is not the hospital's. */
export function shownOfStudy(study: Study, field: ShownField, dateFormat: DateFormat): string {
  const outside = field === 'patientid' ? outsideMrn(study) : ''
  const shown = shownValue(field, study[field], dateFormat)
  return outside ? t('field.mrnOutside', { mrn: shown, outside }) : shown
}
