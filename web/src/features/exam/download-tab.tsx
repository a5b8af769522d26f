import type { Study } from '@hilum/contract/entities/study'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { DownloadForm } from './download-form.tsx'
import style from './exam-panel.module.css'

/** DOWNLOAD-01: the exam as DICOM, through a hidden frame; the form says how far it is, beside the browser's own download. */
export function DownloadTab({ study }: { study: Study }) {
  if (study.image_count === 0) {
    return (
      <div className={style.content}>
        <p className={style.note}>{t('download.noImages')}</p>
      </div>
    )
  }
  const images = t('summary.images', { count: study.image_count })
  return (
    <div className={style.content}>
      <h3 className={style.heading}>{t('download.title')}</h3>
      <p className={style.note}>{t('download.text')}</p>
      <p className={style.note}>{t('download.size', { images, size: formatSize(study.size) })}</p>
      {study.arrival !== 'complete' && (
        <Banner tone="priority">{t('download.incomplete', { count: study.image_count })}</Banner>
      )}
      <DownloadForm studies={[study]} button={t('download.start')} />
    </div>
  )
}
