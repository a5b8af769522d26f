import { failureCode, type FailureCode } from '../../api/api-failure.ts'
import { type LabelKey, t } from '../../labels/label.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import style from './acts.module.css'

const words: Partial<Record<FailureCode, LabelKey>> = {
  ANSWERED_BEFORE: 'act.answeredBefore',
  ERR_NETWORK: 'act.network',
  LOCKED: 'act.locked',
  MRN_HELD: 'act.mrnHeld',
  STALE: 'act.stale',
  NOT_FOUND: 'act.gone',
  NOT_NOMINATED: 'pacs.rejectedHere',
  NOT_PERMITTED: 'act.notPermitted',
  ROUTE_NOT_MATCHED: 'routes.notMatched',
  UNAUTHORIZED: 'act.signedOut',
  SID_NOT_FOUND: 'act.signedOut',
}

/** Why an act was not done, in words a person can use. */
export function failureText(failure: unknown): string {
  return t((words[failureCode(failure)] ?? 'act.unknown') as 'act.unknown') // all of them are without slots
}

/** The failed act, the reason, and a retry with everything as it was. */
export function ActFailure({ text, failure, onRetry }: { text: string; failure: unknown; onRetry?: () => void }) {
  const words = (
    <>
      {text}
      <span className={style.reason}>{failureText(failure)}</span>
    </>
  )
  if (!onRetry) return <Banner tone="failed">{words}</Banner>
  return (
    <FailedBanner retry={t('button.retry')} onRetry={onRetry}>
      {words}
    </FailedBanner>
  )
}
