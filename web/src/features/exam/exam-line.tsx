import type { Study } from '@hilum/contract/entities/study'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'

/** One study in one line: whose it is, what, and of which day. Each text keeps its own direction of writing. */
export function ExamLine({ study }: { study: Study }) {
  const { dateFormat } = usePreferences()
  const exam = [study.modality.replaceAll('\\', '/'), study.study_description].filter(Boolean).join(' ')
  const date = formatDate(study.study_date, dateFormat)
  return (
    <>
      <bdi>{nameText(study.patient_name) || t('card.noName')}</bdi>
      {exam && ' · '}
      <bdi>{exam}</bdi>
      {date && ` · ${date}`}
    </>
  )
}
