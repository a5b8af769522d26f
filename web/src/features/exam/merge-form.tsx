import { maxSplitReason } from '@hilum/contract/limits'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { TextInput } from '../../fields/text-input.tsx'
import { t } from '../../labels/label.ts'
import { isNothing, type MergeChoice, type MergedPair, mergePreviewQuery, useMerge } from '../../queries/study-merge.ts'
import { Banner } from '../../ui/banner.tsx'
import { CancelButton } from '../../ui/dialog.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { MergePreviewView } from './merge-preview.tsx'
import style from './separate.module.css'
import { mergeFailureText } from './separation-words.ts'

interface MergeFormProps {
  pair: MergedPair
  /** Undefined where all of the exam moves. */
  choice: MergeChoice | undefined
  reason: string
  onReason: (reason: string) => void
  onClose: () => void
}

/** Preview of a merge, with the button that begins the merge. */
export function MergeForm({ pair, choice, reason, onReason, onClose }: MergeFormProps) {
  const { data: read, error, isFetching, isPlaceholderData, refetch } = useQuery(mergePreviewQuery(pair, choice))
  const data = isNothing(choice) ? undefined : read
  const isCurrent = !isFetching && !isPlaceholderData && error === null
  const merge = useMerge(pair)
  const isPossible = data !== undefined && data.moves.obstacles.length + data.stays.obstacles.length === 0
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isPossible && isCurrent && !merge.isPending)
      merge.mutate({ digest: data.digest, reason: reason.trim(), ...choice }, { onSuccess: onClose })
  }
  return (
    <form className={style.steps} aria-label={t('merge.title')} noValidate onSubmit={handleSubmit}>
      {isNothing(choice) && <Banner tone="neutral">{t('merge.noneChosen')}</Banner>}
      {error && failureCode(error) === 'INVALID_FIELD' && <Banner tone="failed">{t('merge.choiceGone')}</Banner>}
      {error && failureCode(error) !== 'INVALID_FIELD' && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('merge.previewFailed')}
        </FailedBanner>
      )}
      {!error && !data && !isNothing(choice) && <LoadingState label={t('merge.previewReading')} />}
      {data && <MergePreviewView preview={data} isReading={isFetching} onReadAgain={() => void refetch()} />}
      {isPossible && (
        <TextInput
          label={t('merge.reason')}
          value={reason}
          maxLength={maxSplitReason}
          autoComplete="off"
          onChange={(event) => onReason(event.currentTarget.value)}
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
          <Button type="submit" disabled={!isCurrent} loading={merge.isPending}>
            {t('merge.go', { count: data.moves.images })}
          </Button>
        )}
      </div>
    </form>
  )
}
