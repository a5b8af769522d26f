import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { SearchBar } from '../features/search/search-bar.tsx'
import { StudyList } from '../features/studies/study-list.tsx'
import { t } from '../labels/label.ts'
import { type Inbox, useInboxes } from '../queries/namespaces.ts'
import { type StudyView, validSort } from '../queries/study-view.ts'
import { useMarked } from '../state/marked-studies.ts'
import { useSearchFilters } from '../state/search-filters.ts'
import { Banner } from '../ui/banner.tsx'
import { LoadingState, QuietState } from '../ui/quiet-state.tsx'
import style from './screens.module.css'

// The list comes first; the panel is fetched while it is being read, so that the first selection need not wait.
const loadPanel = () => import('../features/exam/exam-panel.tsx')
const loadMulti = () => import('../features/exam/multi-panel.tsx')
const ExamPanel = lazy(async () => ({ default: (await loadPanel()).ExamPanel }))
const MultiPanel = lazy(async () => ({ default: (await loadMulti()).MultiPanel }))

/** The inbox: search, list, panel. What is shown stands in the address; only the search, which names patients, does not. */
export function StudiesScreen() {
  const inboxes = useInboxes()
  const { groupId, state } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const patientName = useSearchFilters((filters) => filters.patientName)
  const inbox = inboxes.find(({ id }) => id === groupId)
  if (groupId && !inbox) return <GroupNotFound inboxes={inboxes} />
  const states = inbox?.states ?? ['Inbox']
  const known = states.find((one) => one === state)
  if (inbox && !known) {
    // ROUTE-03: a group without a state, or with one it does not have, shows its first.
    return <Navigate to="/group/$groupId/{-$state}" params={{ groupId: inbox.id, state: states[0] }} replace />
  }
  const view: StudyView = {
    inbox,
    state: known ?? 'Inbox',
    sort: validSort(search.sort, inbox?.designation),
    page: search.page ?? 1,
    patientName,
  }
  return <Studies key={`${inbox?.id ?? ''} ${view.state}`} view={view} inboxes={inboxes} />
}

function Studies({ view, inboxes }: { view: StudyView; inboxes: readonly Inbox[] }) {
  const { study: uuid, tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void loadPanel(), 300)
    return () => clearTimeout(timer)
  }, [])
  const viewKey = `${view.inbox?.id ?? 'all'} ${view.state} ${view.patientName}`
  const marked = [...useMarked(viewKey).values()]
  const selected = marked.length === 1 && !uuid ? marked[0]?.uuid : uuid
  /** Changes the part of the address behind the question mark; moving through a list leaves no trail of pages. */
  const put = (change: { study?: string; tab?: string; sort?: string; page?: number }, replace = true) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
  const handleSearch = (inbox: Inbox | undefined) =>
    void (inbox
      ? navigate({ to: '/group/$groupId/{-$state}', params: { groupId: inbox.id, state: inbox.states[0] } })
      : navigate({ to: '/group/list' }))
  return (
    <>
      <h1 className={style.vh}>{t('list.label')}</h1>
      <SearchBar inboxes={inboxes} inbox={view.inbox} onSearch={handleSearch} />
      <div className={style.split} data-pane={selected || marked.length > 1 ? 'panel' : 'list'}>
        <StudyList
          view={view}
          viewKey={viewKey}
          inboxes={inboxes}
          selectedUuid={selected}
          onSelect={(study) => put({ study }, uuid !== undefined)}
          onSort={(sort) => put({ sort, page: undefined })}
          onPage={(page) => put({ page: page > 1 ? page : undefined, study: undefined }, false)}
        />
        <Suspense fallback={<LoadingState label={t('loading')} />}>
          {marked.length > 1 ? (
            <MultiPanel studies={marked} />
          ) : selected ? (
            <ExamPanel
              uuid={selected}
              designation={view.inbox?.designation}
              state={view.state}
              tab={tab}
              onTab={(next) => put({ tab: next })}
              onClose={() => put({ study: undefined, tab: undefined })}
            />
          ) : (
            <section className={style.noPanel} aria-label={t('exam.label')}>
              <QuietState title={t('exam.none')} />
            </section>
          )}
        </Suspense>
      </div>
    </>
  )
}

function GroupNotFound({ inboxes }: { inboxes: readonly Inbox[] }) {
  const navigate = useNavigate()
  return (
    <>
      <h1 className={style.vh}>{t('list.label')}</h1>
      <SearchBar
        inboxes={inboxes}
        inbox={undefined}
        onSearch={(inbox) =>
          void (inbox
            ? navigate({ to: '/group/$groupId/{-$state}', params: { groupId: inbox.id } })
            : navigate({ to: '/group/list' }))
        }
      />
      <div className={style.notice}>
        <Banner tone="failed">{t('group.notFound')}</Banner>
      </div>
    </>
  )
}
