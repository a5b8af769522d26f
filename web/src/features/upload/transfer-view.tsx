import { Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { formatSize } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { cancelUpload, pauseUpload, resumeUpload } from './transfer-actions.ts'
import style from './upload.module.css'
import { countFiles, timeText } from './upload-format.ts'
import { secondsLeft } from './upload-rate.ts'
import { type Transfer, uploadWaitOf } from './upload-store.ts'

/** An upload under way: how far, how fast, and the ways to hold or end it. */
export function TransferView({ transfer }: { transfer: Transfer }) {
  const { destinationName, uploadedBytes, totalBytes, fileCount, hold } = transfer
  const wait = uploadWaitOf(transfer)
  const percent = totalBytes > 0 ? Math.min(100, Math.floor((uploadedBytes / totalBytes) * 100)) : 0
  return (
    <div className={style.narrow}>
      <h2 tabIndex={-1}>{t('upload.transfer.title', { destination: destinationName })}</h2>
      <Progress value={percent} size={8} transitionDuration={0} aria-label={t('upload.transfer.bar')} />
      <div className={style.transferFacts}>
        <span>
          {t('upload.transfer.bytes', { done: formatSize(uploadedBytes), total: formatSize(totalBytes) })} ·{' '}
          {countFiles(fileCount)}
        </span>
        <span>{t('nav.percent', { percent })}</span>
      </div>
      <p className={style.hint}>{paceText(transfer)}</p>
      {wait && <Banner tone="priority">{t(`upload.transfer.hold.${wait}`)}</Banner>}
      <p className={style.lead}>{t('upload.transfer.away')}</p>
      <Controls isPaused={hold === 'paused'} />
    </div>
  )
}

function paceText(transfer: Transfer): string {
  const { stage, uploadedBytes, totalBytes, bytesPerSecond } = transfer
  if (stage === 'preparing') return t('nav.preparing')
  if (stage === 'comparing') return t('upload.transfer.finishing')
  const seconds = secondsLeft(totalBytes - uploadedBytes, bytesPerSecond)
  if (uploadWaitOf(transfer) || seconds === undefined || !bytesPerSecond) return ''
  return t('upload.transfer.rate', { rate: formatSize(bytesPerSecond), left: timeText(seconds) })
}

function Controls({ isPaused }: { isPaused: boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  if (isAsking) {
    return (
      <Banner tone="priority">
        <p>{t('upload.transfer.cancelSure')}</p>
        <div className={style.buttons}>
          <Button color="red" onClick={cancelUpload}>
            {t('upload.transfer.cancelYes')}
          </Button>
          <Button variant="default" onClick={() => setIsAsking(false)}>
            {t('upload.transfer.cancelNo')}
          </Button>
        </div>
      </Banner>
    )
  }
  return (
    <div className={style.buttons}>
      <Button variant="default" onClick={isPaused ? resumeUpload : pauseUpload}>
        {t(isPaused ? 'upload.transfer.resume' : 'upload.transfer.pause')}
      </Button>
      <Button variant="subtle" color="red" onClick={() => setIsAsking(true)}>
        {t('upload.transfer.cancel')}
      </Button>
    </div>
  )
}
