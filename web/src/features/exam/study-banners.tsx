import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './exam-panel.module.css'

/** What must be known before anything is done with the study. */
export function StudyBanners({ study }: { study: Study }) {
  const { arrival, image_count: done, expected_count: total } = study
  const isReceiving = arrival === 'receiving' || arrival === 'announced'
  const isQuiet = study.is_locked + study.thin + study.conflict_count + study.mixed_patients === 0
  if (isQuiet && arrival === 'complete') return null
  return (
    <div className={style.banners}>
      {study.mixed_patients > 0 && <Banner tone="priority">{t('exam.banner.mixed')}</Banner>}
      {study.is_locked === 1 && (
        <Banner tone="priority">
          {study.locked_by_name
            ? t('exam.banner.locked', { who: study.locked_by_name })
            : t('exam.banner.lockedByOther')}
        </Banner>
      )}
      {study.thin === 1 && <Banner tone="neutral">{t('exam.banner.thin')}</Banner>}
      {study.conflict_count > 0 && <Banner tone="priority">{t('exam.banner.conflict')}</Banner>}
      {arrival === 'incomplete' && (
        <Banner tone="priority">{t('exam.banner.incomplete', { done, total: total ?? '?' })}</Banner>
      )}
      {isReceiving && (
        <Banner tone="neutral">{total ? t('card.receiving', { done, total }) : t('exam.banner.receiving')}</Banner>
      )}
    </div>
  )
}
