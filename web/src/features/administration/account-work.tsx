import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatAgo, formatStamp, parseStamp } from '../../format/dates.ts'
import { type LabelKey, t } from '../../labels/label.ts'
import { accountWorkQuery, useTendWork, type Work } from '../../queries/account-work.ts'
import { usePreferences } from '../../session/preferences.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useMay } from '../../session/use-may.ts'
import { Banner } from '../../ui/banner.tsx'
import { FailedBanner } from '../../ui/failed-banner.tsx'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import table from '../../ui/row-table.module.css'
import style from './account-work.module.css'

/** Jobs of the organisation that no request waits for: which are stuck, since when and why, with Try again and Cancel. */
export function AccountWork() {
  const maySee = useMay('administerAccount')
  return (
    <section aria-labelledby="work">
      <h2 id="work" className={style.heading}>
        {t('jobs.title')}
      </h2>
      {maySee ? <WorkList /> : <Banner tone="failed">{t('admin.notPermitted')}</Banner>}
    </section>
  )
}

function WorkList() {
  const { account } = useEstablished()
  const { data, error, refetch, isFetching } = useQuery(accountWorkQuery(account.uuid))
  const tend = useTendWork()
  return (
    <>
      <p className={style.lead}>{t('jobs.lead')}</p>
      {tend.isError && <Banner tone="failed">{t('jobs.actFailed')}</Banner>}
      {error && (
        <FailedBanner retry={t('button.retry')} isRetrying={isFetching} onRetry={() => void refetch()}>
          {t('jobs.failed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data?.length === 0 && (
        <p className={style.empty} role="status">
          {t('jobs.empty')}
        </p>
      )}
      {data && data.length > 0 && (
        <table className={table.table} aria-labelledby="work">
          <thead>
            <tr>
              <th scope="col">{t('jobs.job')}</th>
              <th scope="col">{t('jobs.state')}</th>
              <th scope="col">{t('jobs.when')}</th>
              <th scope="col" data-acts>
                <HeardOnly>{t('jobs.acts')}</HeardOnly>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((work) => (
              <WorkRow
                key={work.uuid}
                work={work}
                isBusy={tend.isPending && tend.variables.uuid === work.uuid}
                onTend={(act) => tend.mutate({ act, uuid: work.uuid })}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

interface WorkRowProps {
  work: Work
  isBusy: boolean
  onTend: (act: 'cancel' | 'retry') => void
}

function WorkRow({ work, isBusy, onTend }: WorkRowProps) {
  const { dateFormat, timeZone } = usePreferences()
  const { state, error, message, tries } = work
  const name = nameOf(work)
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
        {formatAgo(isEnded ? work.updated : work.created)}
        <span className={table.aside}>{formatStamp(isEnded ? work.updated : work.created, dateFormat, timeZone)}</span>
      </td>
      <td data-acts>
        <Button
          size="compact-sm"
          variant="default"
          loading={isBusy}
          aria-label={t(isEnded ? 'jobs.retryOne' : 'jobs.cancelOne', { job: name })}
          onClick={() => onTend(isEnded ? 'retry' : 'cancel')}
        >
          {t(isEnded ? 'button.retry' : 'button.cancel')}
        </Button>
      </td>
    </tr>
  )
}

const names: Readonly<Record<string, LabelKey & `jobs.name.${string}`>> = {
  'wrap-attachment': 'jobs.name.wrapAttachment',
  'push-study': 'jobs.name.pushStudy',
  'search-destination': 'jobs.name.searchDestination',
  'retrieve-study': 'jobs.name.retrieveStudy',
  'deliver-share': 'jobs.name.deliverShare',
  'mail-link': 'jobs.name.mailLink',
  'end-share': 'jobs.name.endShare',
  'tell-of-harvest': 'jobs.name.tellOfHarvest',
}

/** A job that this page has no words for yet shows its own name, e.g. `send-to-pacs`. */
function nameOf({ job }: Work): string {
  const key = names[job]
  return key ? t(key) : job
}

/** @param due when the job is to run, in the person's format */
function stateText({ state, run_at: runAt, tries }: Work, due: string): string {
  if (state !== 'waiting') return t(`jobs.state.${state}`)
  const isLater = (parseStamp(runAt)?.getTime() ?? 0) > Date.now()
  if (tries > 0) return isLater ? t('jobs.state.againAt', { due }) : t('jobs.state.again')
  return isLater ? t('jobs.state.later', { due }) : t('jobs.state.waiting')
}
