import type { RouteRun } from '@hilum/contract/calls/route'
import { useQuery } from '@tanstack/react-query'
import { formatStamp } from '../../../format/dates.ts'
import { nameText } from '../../../format/person-name.ts'
import { t } from '../../../labels/label.ts'
import { type RoutingRule, ruleRunsQuery } from '../../../queries/routing-rules.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LoadingState } from '../../../ui/quiet-state.tsx'
import table from '../../../ui/row-table.module.css'
import { runTexts, triggerText } from './run-words.ts'
import style from './routing.module.css'

/** The latest runs of a rule, each with what came of it and why. */
export function RuleRuns({ rule, onClose }: { rule: RoutingRule; onClose: () => void }) {
  const { dateFormat, timeZone } = usePreferences()
  const { data, error, refetch } = useQuery(ruleRunsQuery(rule.uuid))
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  const asidesOf = (run: RouteRun) =>
    [
      triggerText(run),
      run.ended && stamp(run.ended) !== stamp(run.created) ? t('routing.runEnded', { when: stamp(run.ended) }) : '',
    ].filter(Boolean)
  const studyText = (run: RouteRun) =>
    run.patient_name ? nameText(run.patient_name) : t('routing.runHidden', { place: run.place_name })
  return (
    <Dialog title={t('routing.runsTitle', { name: rule.name })} closeLabel={t('button.close')} onClose={onClose}>
      {error && (
        <FailedBanner retry={t('button.retry')} onRetry={() => void refetch()}>
          {t('routing.runsFailed')}
        </FailedBanner>
      )}
      {!data && !error && <LoadingState label={t('loading')} />}
      {data?.length === 0 && <p className={style.hint}>{t('routing.runsEmpty')}</p>}
      {data && data.length > 0 && (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('routing.runWhen')}</th>
              <th scope="col">{t('routing.runStudy')}</th>
              <th scope="col">{t('routing.runResult')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((run) => (
              <tr key={run.uuid}>
                <td>
                  {stamp(run.created)}
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
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
