import type { RelatedStudy } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatDate } from '../../format/dates.ts'
import { nameText } from '../../format/person-name.ts'
import { hasLabel, t } from '../../labels/label.ts'
import { relatedStudiesQuery } from '../../queries/study-facts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import style from './acts.module.css'
import panel from './exam-panel.module.css'

/** Other exams that are likely of the same patient, each with what speaks for and against it. */
export function RelatedStudies({ study }: { study: Study }) {
  const { data, error, refetch } = useQuery(relatedStudiesQuery(study))
  if (error && !data) {
    return (
      <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
        {t('summary.relatedFailed')}
      </FailedBanner>
    )
  }
  if (!data) return <LoadingState label={t('loading')} />
  if (data.related.length === 0) return <p className={panel.note}>{t('summary.relatedNone')}</p>
  return (
    <>
      <ul className={style.related}>
        {data.related.map((related) => (
          <RelatedRow key={related.study.uuid} related={related} />
        ))}
      </ul>
      {data.more === 1 && <p className={panel.note}>{t('summary.relatedMore')}</p>}
    </>
  )
}

function RelatedRow({ related: { study, verdict, reasons } }: { related: RelatedStudy }) {
  const { dateFormat } = usePreferences()
  const exam = [study.modality?.replaceAll('\\', '/'), study.study_description].filter(Boolean).join(', ')
  const words = reasons.flatMap((reason) => {
    const key = `identity.${reason}`
    return hasLabel(key) ? [t(key as 'identity.name-same')] : [] // all of them are without slots
  })
  return (
    <li>
      <span className={style.relatedHead}>
        <Link to="/group/list" search={{ study: study.uuid }} className={style.link}>
          {nameText(study.patient_name) || t('card.noName')}
        </Link>
        <span>{exam}</span>
        <span>{formatDate(study.study_date, dateFormat)}</span>
        <span className={style.reasonInline}>{study.phi_namespace_name}</span>
      </span>
      <span className={style.verdict} data-verdict={verdict}>
        {t(`identity.verdict.${verdict}`)}
      </span>{' '}
      <span className={style.reasonInline}>{words.join(' · ')}</span>
    </li>
  )
}
