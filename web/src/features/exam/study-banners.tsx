import type { Study } from '@hilum/contract/entities/study'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './exam-panel.module.css'

/** What must be known before anything is done with the study. */
export function StudyBanners({ study }: { study: Study }) {
  const { arrival, image_count: done, expected_count: total } = study
  const isReceiving = arrival === 'receiving' || arrival === 'announced'
  if (study.mixed_patients === 0 && arrival === 'complete') return null
  return (
    <div className={style.banners}>
      {study.mixed_patients > 0 && <Banner tone="priority">{t('exam.banner.mixed')}</Banner>}
      {arrival === 'incomplete' && (
        <Banner tone="priority">{t('exam.banner.incomplete', { done, total: total ?? '?' })}</Banner>
      )}
      {isReceiving && (
        <Banner tone="neutral">{total ? t('card.receiving', { done, total }) : t('exam.banner.receiving')}</Banner>
      )}
    </div>
  )
}
