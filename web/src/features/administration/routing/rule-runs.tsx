import { type RouteRun, routeRunAgain } from '@hilum/contract/calls/route'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { type RoutingRule, ruleRunsQuery, useRunAgain } from '../../../queries/routing-rules.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { HeardOnly } from '../../../ui/heard-only.tsx'
import { IconRefresh } from '../../../ui/icons.ts'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import table from '../../../ui/row-table.module.css'
import { RowAct } from '../grid/row-act.tsx'
import { againFaultText, runTexts, triggerText } from './run-words.ts'
import style from './routing.module.css'

/** The latest runs of a rule, each with what came of it and why, and Run again for one that failed. */
export function RuleRuns({ rule, onClose }: { rule: RoutingRule; onClose: () => void }) {
  const mayEdit = useMayCall(routeRunAgain)
  const again = useRunAgain()
  const { dateFormat, timeZone } = usePreferences()
  const [onlyFailed, setOnlyFailed] = useState(false)
  const { data, error, refetch } = useQuery(ruleRunsQuery(rule.uuid, onlyFailed))
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  const asidesOf = (run: RouteRun) =>
    [
      triggerText(run),
      run.again === 1 ? t('routing.runFollows') : '',
      run.ended && stamp(run.ended) !== stamp(run.created) ? t('routing.runEnded', { when: stamp(run.ended) }) : '',
    ].filter(Boolean)
  const studyText = (run: RouteRun) =>
    run.patient_name ? nameText(run.patient_name) : t('routing.runHidden', { place: run.place_name })
  return (
    <Dialog title={t('routing.runsTitle', { name: rule.name })} closeLabel={t('button.close')} onClose={onClose}>
      <Checkbox
        className={style.onlyFailed}
        size="xs"
        label={t('routing.runsOnlyFailed')}
        checked={onlyFailed}
        onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
      />
      {again.isError && <Banner tone="failed">{againFaultText(again.error)}</Banner>}
      {again.isSuccess && <Banner tone="completed">{t('routing.runAgainDone')}</Banner>}
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('routing.runsFailed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data?.length === 0 && (
        <p className={style.hint}>{t(onlyFailed ? 'routing.runsNoneFailed' : 'routing.runsEmpty')}</p>
      )}
      {data && data.length > 0 && (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('routing.runWhen')}</th>
              <th scope="col">{t('routing.runStudy')}</th>
              <th scope="col">{t('routing.runResult')}</th>
              <th scope="col" data-acts>
                <HeardOnly>{t('users.acts')}</HeardOnly>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((run) => (
              <tr key={run.uuid}>
                <td>
                  <span className={style.when}>{stamp(run.created)}</span>
                  <span className={table.aside}>{asidesOf(run).join(' · ')}</span>
                </td>
                <th scope="row">{studyText(run)}</th>
                <td>
                  <ul className={style.lines}>
                    {runTexts(run).map((text, at) => (
                      // oxlint-disable-next-line react/no-array-index-key -- two actions may read alike
                      <li key={at}>{text}</li>
                    ))}
                  </ul>
                </td>
                <td data-acts>
                  {mayEdit && run.may_run_again === 1 && (
                    <RowAct
                      label={t('routing.runAgainOf', { study: studyText(run), when: stamp(run.created) })}
                      icon={IconRefresh}
                      isBusy={again.isPending && again.variables.run === run.uuid}
                      onAct={() => again.mutate({ rule: rule.uuid, run: run.uuid })}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
