import { useQueryClient } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { SearchBar } from '../features/search/search-bar.tsx'
import { NothingSelected } from '../features/studies/nothing-selected.tsx'
import { StudyList } from '../features/studies/study-list.tsx'
import { toAddress } from '../queries/address-filters.ts'
import { todayIn } from '../format/date-range.ts'
import { t } from '../labels/label.ts'
import { type Inbox, useInboxes } from '../queries/namespaces.ts'
import { studyKeys } from '../queries/studies.ts'
import { searchedState, sorts, type StudyView, validSort } from '../queries/study-view.ts'
import { usePreferences } from '../session/preferences.ts'
import { isOffline } from '../state/line-state.ts'
import type { ListSearch } from '../state/list-search.ts'
import { readSearchFilters, setSearchFilters, useSearchFilters } from '../state/search-filters.ts'
import { asNewSearch, asTypedSearch } from '../state/search-trail.ts'
import { Banner } from '../ui/banner.tsx'
import { HeardOnly } from '../ui/heard-only.tsx'
import { LoadingState } from '../ui/quiet-state.tsx'
import { SearchedStudies } from './searched-studies.tsx'
import style from './screens.module.css'

const PendingRequests = lazy(async () => ({ default: (await import('./pending-requests.tsx')).PendingRequests }))

/**
 * The inbox: search, list, panel. The shown list stands in the address; only the search, which names patients, does
 * not.
 */
export function StudiesScreen() {
  const inboxes = useInboxes()
  const { groupId, state } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  const filters = useSearchFilters()
  const { timeZone } = usePreferences()
  const inbox = inboxes.find(({ id }) => id === groupId)
  if (groupId && !inbox) return <GroupNotFound inboxes={inboxes} />
  const states = inbox?.states ?? ['Inbox']
  const known = states.find((one) => one === state)
  if (inbox && !known) {
    // ROUTE-03: a group without a state, or with one it does not have, shows its first.
    return (
      <Navigate to="/group/$groupId/{-$state}" params={{ groupId: inbox.id, state: states[0] }} search={true} replace />
    )
  }
  const view: StudyView = {
    inbox,
    state: known ?? 'Inbox',
    sort: validSort(search.sort, inbox?.designation),
    page: search.page ?? 1,
    filters,
    today: todayIn(timeZone),
  }
  return <Studies key={`${inbox?.id ?? ''} ${view.state}`} view={view} inboxes={inboxes} />
}

function Studies({ view, inboxes }: { view: StudyView; inboxes: readonly Inbox[] }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { state } = useLocation()
  const viewKey = [view.inbox?.id ?? 'all', view.state, JSON.stringify(view.filters)].join(' ')
  /** Changes the part of the address behind the question mark; moving through a list leaves no trail of pages. */
  const put = (change: ListSearch, replace = true) =>
    navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
  const handleSearch = (inbox: Inbox | undefined, isTyped = false) => {
    // Order stays; page and selection were those of another search. While somebody types, and without a network, where the
    // exam could not be opened again, the open study stays too.
    const search = ({ sort, study, tab }: ListSearch): ListSearch => ({
      sort,
      ...toAddress(readSearchFilters()),
      ...((isTyped || isOffline()) && { study, tab }),
    })
    if (isTyped) {
      void navigate({ to: '.', search, ...asTypedSearch(state) })
      return
    }
    const asked = { state: asNewSearch(), replace: state.isTypedSearch === true }
    void (inbox
      ? navigate({
          to: '/group/$groupId/{-$state}',
          params: { groupId: inbox.id, state: searchedState(inbox, view) },
          search,
          ...asked,
        })
      : navigate({ to: '/group/list', search, ...asked }))
    void client.invalidateQueries({ queryKey: studyKeys.lists })
  }
  const handleClear = () => {
    void navigate({ to: '/group/list', search: ({ sort }: ListSearch): ListSearch => ({ sort }), state: asNewSearch() })
    void client.invalidateQueries({ queryKey: studyKeys.lists })
  }
  if (view.inbox && view.state === 'Pending Requests') {
    return (
      <>
        <HeardOnly as="h1">{t('requests.title')}</HeardOnly>
        <SearchBar inboxes={inboxes} inbox={view.inbox} state={view.state} today={view.today} onSearch={handleSearch} />
        <Suspense fallback={<LoadingState label={t('loading')} />}>
          <PendingRequests inbox={view.inbox} />
        </Suspense>
      </>
    )
  }
  return (
    <SearchedStudies
      title={t('list.label')}
      view={view}
      viewKey={viewKey}
      inboxes={inboxes}
      searchState={view.state}
      shownInList={['work']}
      knowsSort={(sort) => Object.hasOwn(sorts, sort)}
      onSearch={handleSearch}
      onType={() => handleSearch(view.inbox, true)}
      onClear={handleClear}
      layout="split"
      opensMarked
      renderList={(given) => (
        <StudyList
          {...given}
          onSort={(sort) => void put({ sort, page: undefined })}
          onWork={(work) => {
            setSearchFilters({ ...view.filters, work: work === 'any' ? '' : work })
            void put({ ...toAddress(readSearchFilters()), page: undefined, study: undefined })
          }}
          onPage={(page) => void put({ page: page > 1 ? page : undefined, study: undefined }, false)}
        />
      )}
    >
      <section className={style.noPanel} aria-label={t('exam.label')}>
        <NothingSelected view={view} inboxes={inboxes} />
      </section>
    </SearchedStudies>
  )
}

function GroupNotFound({ inboxes }: { inboxes: readonly Inbox[] }) {
  const navigate = useNavigate()
  const { timeZone } = usePreferences()
  return (
    <>
      <HeardOnly as="h1">{t('list.label')}</HeardOnly>
      <SearchBar
        inboxes={inboxes}
        inbox={undefined}
        today={todayIn(timeZone)}
        onSearch={(inbox) =>
          void (inbox
            ? navigate({ to: '/group/$groupId/{-$state}', params: { groupId: inbox.id, state: undefined } })
            : navigate({ to: '/group/list' }))
        }
      />
      <div className={style.notice}>
        <Banner tone="failed">{t('group.notFound')}</Banner>
      </div>
    </>
  )
}
