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
import { DataGrid, type GridColumn } from '../../../ui/data-grid.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { IconRefresh } from '../../../ui/icons.ts'
import { PassingBanner } from '../../../ui/passing-banner.tsx'
import table from '../../../ui/row-table.module.css'
import { gridPaging } from '../grid/grid-paging.ts'
import { gridTexts } from '../grid/grid-texts.ts'
import { RowAct } from '../grid/row-act.tsx'
import { useGridView } from '../grid/use-stored-rows.ts'
import { againFaultText, runTexts, triggerText } from './run-words.ts'
import style from './routing.module.css'

/** The runs of a rule, the latest first, each with what came of it and why, and Run again for one that failed. */
export function RuleRuns({ rule, onClose }: { rule: RoutingRule; onClose: () => void }) {
  const mayEdit = useMayCall(routeRunAgain)
  const again = useRunAgain()
  const { dateFormat, timeZone } = usePreferences()
  const [onlyFailed, setOnlyFailed] = useState(false)
  const [view, setView] = useGridView('rule_runs', 'created', true)
  const answer = useQuery(ruleRunsQuery(rule.uuid, view, onlyFailed))
  const columns = useRunColumns()
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  return (
    <Dialog title={t('routing.runsTitle', { name: rule.name })} closeLabel={t('button.close')} onClose={onClose}>
      <Checkbox
        className={style.onlyFailed}
        size="xs"
        label={t('routing.runsOnlyFailed')}
        checked={onlyFailed}
        onChange={(event) => {
          setOnlyFailed(event.currentTarget.checked)
          setView({ ...view, page: 1 })
        }}
      />
      {again.isError && <Banner tone="failed">{againFaultText(again.error)}</Banner>}
      {again.isSuccess && (
        <PassingBanner key={again.submittedAt} onGone={() => again.reset()}>
          {t('routing.runAgainDone')}
        </PassingBanner>
      )}
      <DataGrid
        texts={gridTexts(
          {
            label: t('routing.runsTitle', { name: rule.name }),
            failed: t('routing.runsFailed'),
            empty: t(onlyFailed ? 'routing.runsNoneFailed' : 'routing.runsEmpty'),
          },
          answer.data?.page.total,
        )}
        columns={columns}
        rows={answer.data?.runs}
        keyOf={(run) => run.uuid}
        nameOf={studyText}
        {...gridPaging(answer, view, setView)}
        acts={runActs(stamp, {
          mayEdit,
          busy: again.isPending ? again.variables.run : undefined,
          onAgain: (run) => again.mutate({ rule: rule.uuid, run }),
        })}
      />
    </Dialog>
  )
}

interface RunActs {
  mayEdit: boolean
  /** Uuid of the run that is being done again. */
  busy: string | undefined
  onAgain: (run: string) => void
}

function runActs(stamp: (time: string) => string, { mayEdit, busy, onAgain }: RunActs) {
  return (run: RouteRun, tabIndex: 0 | -1) =>
    mayEdit &&
    run.may_run_again === 1 && (
      <RowAct
        label={t('routing.runAgainOf', { study: studyText(run), when: stamp(run.created) })}
        icon={IconRefresh}
        tabIndex={tabIndex}
        isBusy={busy === run.uuid}
        onAct={() => onAgain(run.uuid)}
      />
    )
}

function studyText(run: RouteRun): string {
  return run.patient_name ? nameText(run.patient_name) : t('routing.runHidden', { place: run.place_name })
}

function useRunColumns(): GridColumn<RouteRun>[] {
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  const asidesOf = (run: RouteRun) =>
    [
      triggerText(run),
      run.again === 1 ? t('routing.runFollows') : '',
      run.ended && stamp(run.ended) !== stamp(run.created) ? t('routing.runEnded', { when: stamp(run.ended) }) : '',
    ].filter(Boolean)
  return [
    {
      key: 'when',
      title: t('routing.runWhen'),
      sort: 'created',
      cell: (run) => (
        <>
          <span className={style.when}>{stamp(run.created)}</span>
          <span className={table.aside}>{asidesOf(run).join(' · ')}</span>
        </>
      ),
    },
    { key: 'study', title: t('routing.runStudy'), isName: true, cell: studyText },
    {
      key: 'result',
      title: t('routing.runResult'),
      cell: (run) => (
        <ul className={style.lines}>
          {runTexts(run).map((text, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- two actions may read alike
            <li key={at}>{text}</li>
          ))}
        </ul>
      ),
    },
  ]
}
