import { maxSplitReason } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { type MergedPair, mergePreviewQuery, useMerge } from '../../queries/study-merge.ts'
import { Banner } from '../../ui/banner.tsx'
import { CancelButton } from '../../ui/dialog.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { MergePreviewView } from './merge-preview.tsx'
import style from './separate.module.css'
import { mergeFailureText } from './separation-words.ts'

/** Preview of a merge, with the button that begins the merge. */
export function MergeForm({ pair, onClose }: { pair: MergedPair; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(mergePreviewQuery(pair))
  const merge = useMerge(pair)
  const [reason, setReason] = useState('')
  const isPossible = data !== undefined && data.moves.obstacles.length + data.stays.obstacles.length === 0
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isPossible && !isFetching && !merge.isPending)
      merge.mutate({ digest: data.digest, reason: reason.trim() }, { onSuccess: onClose })
  }
  return (
    <form className={style.steps} aria-label={t('merge.title')} noValidate onSubmit={handleSubmit}>
      {error && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('merge.previewFailed')}
        </FailedBanner>
      )}
      {!error && !data && <LoadingState label={t('merge.previewReading')} />}
      {!error && data && <MergePreviewView preview={data} isReading={isFetching} onReadAgain={() => void refetch()} />}
      {isPossible && (
        <TextInput
          label={t('merge.reason')}
          value={reason}
          maxLength={maxSplitReason}
          autoComplete="off"
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {merge.isError && (
        <Banner tone={failureCode(merge.error) === 'STALE' ? 'priority' : 'failed'}>
          {failureCode(merge.error) !== 'STALE' && `${t('merge.failed')} `}
          {mergeFailureText(merge.error)}
        </Banner>
      )}
      <div className={style.buttons}>
        <CancelButton disabled={merge.isPending} onCancel={onClose}>
          {t(isPossible ? 'button.cancel' : 'button.close')}
        </CancelButton>
        {isPossible && (
          <Button type="submit" disabled={isFetching} loading={merge.isPending}>
            {t('merge.go', { count: data.moves.images })}
          </Button>
        )}
      </div>
    </form>
  )
}
