import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ActNotes } from './act-notes.tsx'
import style from './study-list.module.css'
import type { ListedStudies } from './use-listed-studies.ts'

/** Notes between the head of a list and its studies: the list failed, the last act failed, the list is loading. */
export function ListNotes({ listed }: { listed: ListedStudies }) {
  const { error, isReset, isPending, refetch, restore, setStatus, star } = listed
  return (
    <>
      {error && (
        <div className={style.notice}>
          <FailedBanner retry={t('button.retry')} onRetry={refetch}>
            {listFaultText(error, isReset)}
          </FailedBanner>
        </div>
      )}
      <ActNotes restore={restore} setStatus={setStatus} star={star} />
      {isPending && !error && <LoadingState label={t('loading')} />}
    </>
  )
}

function listFaultText(error: Error, isReset: boolean): string {
  if (failureCode(error) === 'ERR_NETWORK') return t(isReset ? 'list.offline' : 'network.offline')
  return t(isReset ? 'list.failed' : 'list.notRefreshed')
}
