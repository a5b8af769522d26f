import '@mantine/core/styles/Loader.layer.css'
import type { Nomination } from '@hilum/contract/entities/study'
import { Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import style from './acts.module.css'
import { rejectionCodeText } from './rejection-code-text.ts'
import { commitmentText } from './commitment-text.ts'

interface NominationStatusProps {
  nomination: Nomination
  /** Given where a push that failed can be asked for again. */
  onRetry?: () => void
  isRetrying?: boolean
  /** Leads to another match, where the person may make one. */
  rematch?: ReactNode
}

/** NOMINATE-08…11: the decision of a gatekeeper group and the push after it, with the age of the last change. */
export function NominationStatus({ nomination, onRetry, isRetrying = false, rematch }: NominationStatusProps) {
  const { state, group_name: group, destination_name: destination, reason, message } = nomination
  const agoOf = useAgo()
  const aged = (text: string) => t('nomination.ago', { text, ago: agoOf(nomination.updated) })
  if (state === 'nominated') return null
  if (state === 'queued') {
    return (
      <Banner tone="info" action={<Loader size={16} aria-hidden="true" />}>
        {aged(t('nomination.queued', { destination }))}
        {nomination.status_reason && <span className={style.reason}>{nomination.status_reason}</span>}
      </Banner>
    )
  }
  const stored = nomination.commitment && <span className={style.reason}>{commitmentText(nomination)}</span>
  if (state === 'completed') {
    return (
      <Banner tone="completed">
        {aged(t('nomination.completed', { destination }))}
        {stored}
      </Banner>
    )
  }
  if (state === 'rejected') {
    return (
      <Banner tone="neutral">
        {aged(t('nomination.rejected', { group }))}
        {reason && <span className={style.reason}>{t('nomination.why', { reason })}</span>}
        {nomination.reason_code && <span className={style.reason}>{rejectionCodeText(nomination.reason_code)}</span>}
        {message && <span className={style.reason}>{message}</span>}
      </Banner>
    )
  }
  return (
    <Banner
      tone="failed"
      action={
        <>
          {rematch}
          {onRetry && (
            <Button size="compact-sm" variant="default" loading={isRetrying} onClick={onRetry}>
              {t('nominate.retry')}
            </Button>
          )}
        </>
      }
    >
      {aged(t(nomination.side === 'source' ? 'nomination.failedSource' : 'nomination.failed', { destination }))}
      {nomination.status_reason && <span className={style.reason}>{nomination.status_reason}</span>}
      {stored}
    </Banner>
  )
}
