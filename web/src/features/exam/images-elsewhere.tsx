import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatDate } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { elsewhereQuery } from '../../queries/study-facts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'

/** Other exams with images of the same identifiers; nothing where there are none. */
export function ImagesElsewhere({ study }: { study: Study }) {
  const { dateFormat } = usePreferences()
  const { data, error } = useQuery({ ...elsewhereQuery(study), enabled: study.image_count > 0 })
  if (error && !data) return <p className={panel.note}>{t('summary.elsewhereFailed')}</p>
  if (!data?.image_count) return null
  return (
    <Banner tone="priority">
      {t('summary.elsewhere', { count: data.image_count })}
      <ul className={style.list}>
        {data.studies.map(({ uuid, study_date: date, study_description: description }) => (
          <li key={uuid}>
            <Link to="/group/list" search={{ study: uuid }} className={style.link}>
              {[description, formatDate(date, dateFormat)].filter((text) => text !== '').join(', ') ||
                t('summary.elsewhereExam')}
            </Link>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
