import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadAddress } from '../../api/storage.ts'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { deriveSid } from '../../queries/derived-sid.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconDownload } from '../../ui/icons.ts'
import style from './exam-panel.module.css'

/** DOWNLOAD-01: the exam as DICOM, through a hidden frame, so that the browser's own download shows the progress. */
export function DownloadTab({ study }: { study: Study }) {
  const start = useMutation({ mutationFn: () => deriveSid([study.uuid]) })
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
      <div className={style.actions}>
        <Button leftSection={<IconDownload size={15} />} loading={start.isPending} onClick={() => start.mutate()}>
          {t('download.start')}
        </Button>
      </div>
      {start.isError && <Banner tone="failed">{t('download.failed')}</Banner>}
      {start.data && (
        <>
          <Banner tone="completed">{t('download.started')}</Banner>
          <DownloadFrame key={start.submittedAt} address={downloadAddress(study, start.data)} />
        </>
      )}
    </div>
  )
}

/** DOWNLOAD-02: a hidden frame; the server answers with an attachment, so the page stays where it is. */
export function DownloadFrame({ address }: { address: string }) {
  return (
    <iframe
      className={style.frame}
      title={t('download.frame')}
      src={address}
      sandbox="allow-downloads"
      aria-hidden="true"
      tabIndex={-1}
    />
  )
}
