import { accountStuck } from '@hilum/contract/calls/account'
import { useQuery } from '@tanstack/react-query'
import { formatStamp, parseStamp } from '../../format/dates.ts'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import { accountWorkQuery, useTendWork, type Work } from '../../queries/account-work.ts'
import { whatIsStuckQuery } from '../../queries/what-is-stuck.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMayCall } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { IconRefresh, IconX } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import { TitledSection } from '../../ui/titled-section.tsx'
import style from './account-work.module.css'
import { RowAct } from './grid/row-act.tsx'
import { jobName } from './job-name.ts'
import { StuckFacts } from './stuck-facts.tsx'

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
  const jobs = useQuery(accountWorkQuery(account.uuid))
  const tend = useTendWork()
  const stuckJobs = jobs.data?.filter((work) => work.is_stuck === 1) ?? []
  const otherJobs = jobs.data?.filter((work) => work.is_stuck !== 1) ?? []
  const isLoading = (!facts.data && !facts.error) || (!jobs.data && !jobs.error)
  // something that could not be read may be stuck
  const isSure = !isLoading && !facts.error && !jobs.error
  const rowsOf = (of: readonly Work[], heading: string) => (
    <WorkTable
      work={of}
      heading={heading}
      busy={tend.isPending ? tend.variables.uuid : undefined}
      onTend={(act, uuid) => tend.mutate({ act, uuid })}
    />
  )
  return (
    <>
      <p className={style.lead}>{t('stuck.lead')}</p>
      {tend.isError && <Banner tone="failed">{t('jobs.actFailed')}</Banner>}
      {facts.error && (
        <FailedBanner retry={t('button.retry')} isRetrying={facts.isFetching} onRetry={() => void facts.refetch()}>
          {t('stuck.factsFailed')}
        </FailedBanner>
      )}
      {jobs.error && (
        <FailedBanner retry={t('button.retry')} isRetrying={jobs.isFetching} onRetry={() => void jobs.refetch()}>
          {t('jobs.failed')}
        </FailedBanner>
      )}
      {isLoading && <LoadingState label={t('loading')} />}
      {facts.data && facts.data.length > 0 && <StuckFacts facts={facts.data} />}
      {isSure && facts.data?.length === 0 && stuckJobs.length === 0 && (
        <div role="status">
          <p className={style.nothing}>{t('stuck.nothing')}</p>
          <p className={style.lead}>{t('stuck.checked')}</p>
        </div>
      )}
      {stuckJobs.length > 0 && rowsOf(stuckJobs, t('stuck.jobs'))}
      {otherJobs.length > 0 && rowsOf(otherJobs, t('stuck.otherJobs'))}
    </>
  )
}

interface WorkTableProps {
  work: readonly Work[]
  heading: string
  /** Uuid of the job that an act is under way for. */
  busy: string | undefined
  onTend: (act: 'cancel' | 'retry', uuid: string) => void
}

function WorkTable({ work, heading, busy, onTend }: WorkTableProps) {
  return (
    <>
      <h3 className={style.subheading}>{heading}</h3>
      <table className={table.table} aria-label={heading}>
        <thead>
          <tr>
            <th scope="col">{t('jobs.job')}</th>
            <th scope="col">{t('jobs.state')}</th>
            <th scope="col">{t('jobs.when')}</th>
            <th scope="col" data-acts>
              <HeardOnly>{t('users.acts')}</HeardOnly>
            </th>
          </tr>
        </thead>
        <tbody>
          {work.map((one) => (
            <WorkRow key={one.uuid} work={one} isBusy={busy === one.uuid} onTend={(act) => onTend(act, one.uuid)} />
          ))}
        </tbody>
      </table>
    </>
  )
}

interface WorkRowProps {
  work: Work
  isBusy: boolean
  onTend: (act: 'cancel' | 'retry') => void
}

function WorkRow({ work, isBusy, onTend }: WorkRowProps) {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const { state, error, message, tries } = work
  const name = jobName(work.job)
  const isEnded = state === 'failed' || state === 'cancelled'
  return (
    <tr>
      <th scope="row">
        {name}
        <span className={table.aside}>{work.user_name || t('jobs.nobody')}</span>
      </th>
      <td>
        <span className={state === 'failed' ? style.failed : undefined}>
          {stateText(work, formatStamp(work.run_at, dateFormat, timeZone))}
        </span>
        {error && <span className={table.aside}>{message || error}</span>}
        {tries > 1 && <span className={table.aside}>{t('jobs.tries', { tries })}</span>}
      </td>
      <td>
        {agoOf(isEnded ? work.updated : work.created)}
        <span className={table.aside}>{formatStamp(isEnded ? work.updated : work.created, dateFormat, timeZone)}</span>
      </td>
      <td data-acts>
        <RowAct
          label={t(isEnded ? 'jobs.retryOne' : 'jobs.cancelOne', { job: name })}
          icon={isEnded ? IconRefresh : IconX}
          isBusy={isBusy}
          onAct={() => onTend(isEnded ? 'retry' : 'cancel')}
        />
      </td>
    </tr>
  )
}

/** @param due when the job is to run, in the person's format */
function stateText({ state, run_at: runAt, tries }: Work, due: string): string {
  if (state !== 'waiting') return t(`jobs.state.${state}`)
  const isLater = (parseStamp(runAt)?.getTime() ?? 0) > Date.now()
  if (tries > 0) return isLater ? t('jobs.state.againAt', { due }) : t('jobs.state.again')
  return isLater ? t('jobs.state.later', { due }) : t('jobs.state.waiting')
}
