import { accountStuck } from '@hilum/contract/calls/account'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { accountWorkQuery, useTendWork } from '../../queries/account-work.ts'
import { whatIsStuckQuery } from '../../queries/what-is-stuck.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { TitledSection } from '../../ui/titled-section.tsx'
import style from './account-work.module.css'
import { useGridView } from './grid/use-stored-rows.ts'
import { StuckFacts } from './stuck-facts.tsx'
import { hasNone, WorkGrid } from './work-grid.tsx'

/** Facts of the installation that need somebody, and jobs of the organisation: since when, why, Try again and Cancel. */
export function AccountWork() {
  const maySee = useMayCall(accountStuck)
  return (
    <TitledSection id="work" title={t('jobs.title')}>
      {maySee ? <WhatIsStuck /> : <Banner tone="failed">{t('admin.notPermitted')}</Banner>}
    </TitledSection>
  )
}

function WhatIsStuck() {
  const { account } = useEstablished()
  const facts = useQuery(whatIsStuckQuery(account.uuid))
  const [stuckView, setStuckView] = useGridView('stuck_jobs', 'since', true)
  const [otherView, setOtherView] = useGridView('other_jobs', 'since', true)
  const stuckJobs = useQuery(accountWorkQuery(account.uuid, stuckView, true))
  const otherJobs = useQuery(accountWorkQuery(account.uuid, otherView, false))
  const tend = useTendWork()
  const lists = [stuckJobs, otherJobs]
  const failed = lists.find((one) => one.error)
  const isLoading = [facts, ...lists].some(({ data, error }) => !data && !error)
  // something that could not be read may be stuck
  const isSure = !isLoading && !facts.error && !failed
  const grid = { busy: tend.isPending ? tend.variables.uuid : undefined, onTend: tend.mutate }
  return (
    <>
      <p className={style.lead}>{t('stuck.lead')}</p>
      <div className={style.failures}>
        {tend.isError && <Banner tone="failed">{t('jobs.actFailed')}</Banner>}
        {facts.error && (
          <FailedBanner retry={t('button.retry')} isRetrying={facts.isFetching} onRetry={() => void facts.refetch()}>
            {t('stuck.factsFailed')}
          </FailedBanner>
        )}
        {failed && (
          <FailedBanner
            retry={t('button.retry')}
            isRetrying={failed.isFetching}
            onRetry={() => void Promise.all(lists.map(({ refetch }) => refetch()))}
          >
            {t('jobs.failed')}
          </FailedBanner>
        )}
      </div>
      {isLoading && <LoadingState label={t('loading')} />}
      {facts.data && <StuckFacts facts={facts.data} />}
      {isSure && facts.data?.length === 0 && hasNone(stuckJobs.data) && (
        <div role="status">
          <p className={style.nothing}>{t('stuck.nothing')}</p>
          <p className={style.lead}>{t('stuck.checked')}</p>
        </div>
      )}
      <WorkGrid {...grid} heading={t('stuck.jobs')} answer={stuckJobs} view={stuckView} onView={setStuckView} />
      <WorkGrid {...grid} heading={t('stuck.otherJobs')} answer={otherJobs} view={otherView} onView={setOtherView} />
    </>
  )
}
