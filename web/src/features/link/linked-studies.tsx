import type { LinkedStudy } from '@hilum/contract/calls/link-open'
import { formatDate, writtenFormat } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import style from './linked-studies.module.css'

interface StudyListProps {
  studies: readonly LinkedStudy[]
  shownUuid: string | undefined
  onChoose: (uuid: string) => void
}

/** The exams of a link to several, of which one is shown below. */
export function LinkedStudies({ studies, shownUuid, onChoose }: StudyListProps) {
  const isOnePatient = new Set(studies.map(({ patient_name: name, patientid }) => `${name} ${patientid}`)).size === 1
  return (
    <nav aria-label={t('link.choose')} className={style.list}>
      <p className={style.count}>{t('link.exams', { count: studies.length })}</p>
      <ul>
        {studies.map((study) => (
          <li key={study.uuid}>
            <button
              type="button"
              className={style.exam}
              aria-current={study.uuid === shownUuid || undefined}
              onClick={() => onChoose(study.uuid)}
            >
              <bdi className={style.main}>
                {isOnePatient ? study.study_description || t('link.noDescription') : nameText(study.patient_name)}
              </bdi>
              <span className={style.more}>
                {[
                  isOnePatient ? '' : study.study_description,
                  study.modality.replaceAll('\\', ', '),
                  formatDate(study.study_date, writtenFormat),
                  t('link.images', { count: study.image_count }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
