import { Progress } from '@mantine/core'
import { formatSize, megabytesOf } from '../../format/file-size.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import type { FollowedJobState } from '../../queries/job-states.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import type { StartedDownload } from './download-studies.ts'
import style from './downloads.module.css'

interface ProgressProps {
  download: StartedDownload
  /** Undefined while nothing is heard of it. */
  state: FollowedJobState | undefined
  /** Whether it stands by itself, without a name. */
  isOne: boolean
  isRetrying: boolean
  onRetry: () => void
}

/**
 * How far a download is. The bar is in no live region: a screen reader finds it when asked, and is told of the beginning
 * and the end by the message above, of a break by this.
 */
export function DownloadProgress({ download, state, isOne, isRetrying, onRetry }: ProgressProps) {
  const [first, ...others] = download.studies
  const name =
    others.length > 0
      ? t('download.together.name', { count: download.studies.length })
      : nameText(first.patient_name) || t('card.noName')
  if (state?.event === 'BROKEN') {
    const broken = t('download.broken', megabytesOf(state.sent, state.total))
    return (
      <FailedBanner retry={t('button.retry')} isRetrying={isRetrying} onRetry={onRetry}>
        {isOne ? broken : t('delete.failedItem', { name, reason: broken })}
      </FailedBanner>
    )
  }
  if (isOne && state?.event !== 'PROGRESS') return null
  return (
    <div className={style.progress}>
      {!isOne && <span className={style.name}>{name}</span>}
      {state?.event === 'PROGRESS' && (
        <Progress
          className={style.bar}
          value={(state.sent / Math.max(1, state.total)) * 100}
          aria-label={t('download.progressOf', { name })}
          transitionDuration={0}
        />
      )}
      <span className={style.size}>{sizeText(download, state)}</span>
    </div>
  )
}

function sizeText({ bytes }: StartedDownload, state: FollowedJobState | undefined): string {
  if (state?.event === 'DONE') return t('download.done', { size: formatSize(state.total) })
  return state ? t('nav.progress', megabytesOf(state.sent, state.total)) : formatSize(bytes)
}
