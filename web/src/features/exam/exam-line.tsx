import type { Study } from '@hilum/contract/entities/study'
import { Fragment } from 'react'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import style from './acts.module.css'

interface ExamLineProps {
  study: Study
  /** All studies that the line stands among: where they are of several places, each line names its place. */
  among: readonly Study[]
}

/** One study in one line: whose it is, what, of which day, and where. Each text keeps its own direction of writing. */
export function ExamLine({ study, among }: ExamLineProps) {
  const { dateFormat } = usePreferences()
  const hasSeveralPlaces = among.some((one) => one.phi_namespace !== study.phi_namespace)
  const date = formatDate(study.study_date, dateFormat)
  const parts = [
    nameText(study.patient_name) || t('card.noName'),
    study.patientid,
    describe(study),
    date,
    hasSeveralPlaces ? study.phi_namespace_name : '',
  ]
  return parts.filter(Boolean).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && ' · '}
      <bdi className={part === date ? style.unbroken : undefined}>{part}</bdi>
    </Fragment>
  ))
}

/** Modality and description; a description that begins with the modality says both. */
function describe({ modality, study_description: description }: Study): string {
  const kind = modality.replaceAll('\\', '/')
  const isNamed = `${description} `.toUpperCase().startsWith(`${kind.toUpperCase()} `)
  return isNamed ? description : [kind, description].filter(Boolean).join(' ')
}
