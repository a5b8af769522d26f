import type { MrnHolder } from '@hilum/contract/entities/mrn-holder'
import { type DateFormat, formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { hasLabel, t } from '../../labels/label.ts'

/** A holder of an MRN: "ROE, Rita (born 02-03-1970, F, 2 exams)". */
export function holderText(holder: MrnHolder, dateFormat: DateFormat): string {
  const { patient_birth_date: birthDate, patient_sex: sex, study_count: count } = holder
  const facts = [
    birthDate ? t('mrn.born', { date: formatDate(birthDate, dateFormat) }) : t('mrn.bornUnknown'),
    sex,
    t('mrn.exams', { count }),
  ]
  return t('mrn.who', {
    name: nameText(holder.patient_name) || t('card.noName'),
    facts: facts.filter((fact) => fact !== '').join(', '),
  })
}

/** Reasons of the comparison in words: name, birth date, sex, MRN. */
export function reasonWords({ reasons }: Pick<MrnHolder, 'reasons'>): string {
  const words = reasons.flatMap((reason) => {
    const key = `identity.${reason}`
    return hasLabel(key) ? [t(key as 'identity.name-same')] : [] // all of them are without slots
  })
  return words.join(' · ')
}
