import type { LinkedStudy } from '@hilum/contract/calls/link-open'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { checkDownload, downloadAddress } from '../../api/storage.ts'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconDownload } from '../../ui/icons.ts'
import style from './link.module.css'

/** The study as a ZIP. The download is asked for first: nobody would see what fails inside the hidden frame. */
export function LinkDownload({ study, sid }: { study: LinkedStudy; sid: string }) {
  const start = useMutation({
    mutationFn: async () => {
      const address = downloadAddress(study, sid, { isAsReceived: false })
      return { address, bytes: await checkDownload(address) }
    },
  })
  return (
    <>
      <div className={style.download}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} />}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {t('link.download')}
        </Button>
        <span className={style.note}>{t('link.downloadText', { size: formatSize(study.size) })}</span>
      </div>
      {start.isError && <Banner tone="failed">{t('link.downloadFailed')}</Banner>}
      {start.data && (
        <>
          <Banner tone="completed">{t('link.downloadStarted', { size: formatSize(start.data.bytes) })}</Banner>
          <iframe
            className={style.frame}
            title={t('download.frame')}
            src={start.data.address}
            sandbox="allow-downloads"
            aria-hidden="true"
            tabIndex={-1}
          />
        </>
      )}
    </>
  )
}
