import type { jobList } from '@hilum/contract/calls/job'
import type { OutputOf } from '@hilum/contract/call'
import type { UseQueryResult } from '@tanstack/react-query'
import { formatStamp, parseStamp } from '../../format/dates.ts'
import { useAgo } from '../../format/use-ago.ts'
import { t } from '../../labels/label.ts'
import type { useTendWork, Work } from '../../queries/account-work.ts'
import { usePreferences } from '../../session/preferences.ts'
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx'
import type { GridView } from '../../ui/grid-view.ts'
import { IconRefresh, IconX } from '../../ui/icons.ts'
import table from '../../ui/row-table.module.css'
import style from './account-work.module.css'
import { gridPaging } from './grid/grid-paging.ts'
import { gridTexts } from './grid/grid-texts.ts'
import { RowAct } from './grid/row-act.tsx'
import { jobName } from './job-name.ts'

type Jobs = OutputOf<typeof jobList>

interface WorkGridProps {
  heading: string
  answer: UseQueryResult<Jobs>
  view: GridView
  onView: (view: GridView) => void
  /** Uuid of the job that an act is under way for. */
  busy: string | undefined
  onTend: ReturnType<typeof useTendWork>['mutate']
}

/** Jobs below a heading, with Try again and Cancel; nothing where there are none. The page around it tells of a failure. */
export function WorkGrid({ heading, answer, view, onView, busy, onTend }: WorkGridProps) {
  const columns = useWorkColumns()
  const { data } = answer
  if (!data || hasNone(data)) return null
  return (
    <>
      <h3 className={style.subheading}>{heading}</h3>
      <DataGrid
        texts={gridTexts({ label: heading, failed: t('jobs.failed'), empty: '' }, data.page.total)}
        columns={columns}
        rows={data.work}
        keyOf={(one) => one.uuid}
        nameOf={(one) => jobName(one.job)}
        {...gridPaging(answer, view, onView)}
        failure={null}
        acts={workActs(busy, onTend)}
      />
    </>
  )
}

function workActs(busy: string | undefined, onTend: WorkGridProps['onTend']) {
  return ({ uuid, job, state }: Work, tabIndex: 0 | -1) => (
    <RowAct
      label={t(isEnded(state) ? 'jobs.retryOne' : 'jobs.cancelOne', { job: jobName(job) })}
      icon={isEnded(state) ? IconRefresh : IconX}
      tabIndex={tabIndex}
      isBusy={busy === uuid}
      onAct={() => onTend({ act: isEnded(state) ? 'retry' : 'cancel', uuid })}
    />
  )
}

/** Whether no page of the list has a job. */
export function hasNone(jobs: Jobs | undefined): boolean {
  return jobs?.work.length === 0 && jobs.page.number === 1
}

function isEnded(state: Work['state']): boolean {
  return state === 'failed' || state === 'cancelled'
}

function useWorkColumns(): GridColumn<Work>[] {
  const agoOf = useAgo()
  const { dateFormat, timeZone } = usePreferences()
  const stamp = (time: string) => formatStamp(time, dateFormat, timeZone)
  const sinceOf = ({ state, updated, created }: Work) => (isEnded(state) ? updated : created)
  return [
    {
      key: 'job',
      title: t('jobs.job'),
      isName: true,
      cell: (one) => (
        <>
          {jobName(one.job)}
          <span className={table.aside}>{one.user_name || t('jobs.nobody')}</span>
        </>
      ),
    },
    {
      key: 'state',
      title: t('jobs.state'),
      sort: 'state',
      cell: (one) => (
        <>
          <span className={one.state === 'failed' ? style.failed : undefined}>{stateText(one, stamp(one.run_at))}</span>
          {one.error && <span className={table.aside}>{one.message || one.error}</span>}
          {one.tries > 1 && <span className={table.aside}>{t('jobs.tries', { tries: one.tries })}</span>}
        </>
      ),
    },
    {
      key: 'when',
      title: t('jobs.when'),
      sort: 'since',
      cell: (one) => (
        <>
          {agoOf(sinceOf(one))}
          <span className={table.aside}>{stamp(sinceOf(one))}</span>
        </>
      ),
    },
  ]
}

/** @param due when the job is to run, in the person's format */
function stateText({ state, run_at: runAt, tries }: Work, due: string): string {
  if (state !== 'waiting') return t(`jobs.state.${state}`)
  const isLater = (parseStamp(runAt)?.getTime() ?? 0) > Date.now()
  if (tries > 0) return isLater ? t('jobs.state.againAt', { due }) : t('jobs.state.again')
  return isLater ? t('jobs.state.later', { due }) : t('jobs.state.waiting')
}
