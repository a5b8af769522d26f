import { accountFirstSteps } from '@hilum/contract/calls/account-first-steps'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { t } from '../../../labels/label.ts'
import { useSaveOrganisation } from '../../../queries/account-settings.ts'
import { type FirstSteps, firstStepsQuery } from '../../../queries/first-steps.ts'
import { useAdministrationPages } from '../../../session/own-pages.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import style from './first-steps.module.css'
import { StepRow } from './step-row.tsx'

/**
 * The start page of the administration: how far the organisation is set up, until somebody puts the list away. People
 * who administer a part of the organisation are led to the first page that they may open.
 */
export function FirstStepsPage() {
  const maySee = useMayCall(accountFirstSteps)
  const { account } = useEstablished()
  const [first] = useAdministrationPages().flatMap(({ pages }) => [...pages])
  if (!maySee) return first && <Navigate to={first.to} replace />
  return account.settings['first_steps'] === 'dismissed' ? <AwayLine /> : <LoadedSteps />
}

function AwayLine() {
  const { save, choose } = useListChoice()
  return (
    <>
      {save.isError && <Banner tone="failed">{t('firstSteps.putAwayFailed')}</Banner>}
      <p className={style.away}>
        {t('firstSteps.isAway')}
        <Button variant="default" size="xs" loading={save.isPending} onClick={() => choose('open')}>
          {t('firstSteps.showAgain')}
        </Button>
      </p>
    </>
  )
}

function LoadedSteps() {
  const { account } = useEstablished()
  const { data, error, refetch } = useQuery(firstStepsQuery(account.uuid))
  if (data) return <StepList found={data} />
  if (!error) return <LoadingState label={t('loading')} />
  return (
    <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
      {t('firstSteps.failed')}
    </FailedBanner>
  )
}

function StepList({ found }: { found: FirstSteps }) {
  const { save, choose } = useListChoice()
  const done = found.steps.filter((one) => one.done === 1).length
  const isWhole = done === found.steps.length
  return (
    <section aria-labelledby="first-steps">
      <div className={style.head}>
        <h2 id="first-steps">{t('firstSteps.title')}</h2>
        <Button variant="default" size="xs" loading={save.isPending} onClick={() => choose('dismissed')}>
          {t('firstSteps.putAway')}
        </Button>
      </div>
      <p className={style.lead}>
        {t('firstSteps.lead')} <strong>{t('firstSteps.progress', { done, count: found.steps.length })}</strong>
      </p>
      {save.isError && <Banner tone="failed">{t('firstSteps.putAwayFailed')}</Banner>}
      {isWhole && <Banner tone="completed">{t('firstSteps.allDone')}</Banner>}
      <ol className={style.steps}>
        {found.steps.map((one) => (
          <StepRow key={one.step} step={one.step} isDone={one.done === 1} found={found} />
        ))}
      </ol>
    </section>
  )
}

/** The list is open or put away for all administrators of the organisation. */
function useListChoice() {
  const { account } = useEstablished()
  const save = useSaveOrganisation(account.uuid)
  return { save, choose: (first_steps: 'open' | 'dismissed') => save.mutate({ first_steps }) }
}
