import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { knowsGridSort, readGridSort, readWorklistRows } from '../features/studies/worklist/columns.ts'
import { isDateShortcut } from '../features/studies/worklist/date-shortcuts.tsx'
import { Worklist } from '../features/studies/worklist/worklist.tsx'
import { toAddress } from '../queries/address-filters.ts'
import { todayIn } from '../format/date-range.ts'
import { t } from '../labels/label.ts'
import { useLiveStudies } from '../queries/live-studies.ts'
import { useShareNotices } from '../queries/share-notices.ts'
import { type Inbox, useInboxes } from '../queries/namespaces.ts'
import { studyKeys } from '../queries/studies.ts'
import type { StudyView } from '../queries/study-view.ts'
import { usePreferences } from '../session/preferences.ts'
import { isOffline } from '../state/line-state.ts'
import type { WorklistSearch } from '../state/list-search.ts'
import { readSearchFilters, setSearchFilters, useSearchFilters } from '../state/search-filters.ts'
import { asNewSearch, asTypedSearch } from '../state/search-trail.ts'
import { SearchedStudies } from './searched-studies.tsx'

/** The Advanced UI: the inbox's studies in one dense grid over all groups. */
export function WorklistScreen() {
  const inboxes = useInboxes()
  useLiveStudies(inboxes)
  useShareNotices(inboxes)
  const { sort, page, group, rows } = useSearch({ strict: false })
  const filters = useSearchFilters()
  const { timeZone } = usePreferences()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { state } = useLocation()
  const view: StudyView = {
    inbox: inboxes.find(({ id }) => id === group),
    state: 'Inbox',
    sort: 'upload-desc',
    page: page ?? 1,
    filters,
    today: todayIn(timeZone),
  }
  const viewKey = ['worklist', view.inbox?.id ?? 'all', JSON.stringify(filters)].join(' ')
  const put = (change: WorklistSearch, replace = true) =>
    navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
  const show = (change: WorklistSearch, isTyped = false) => {
    const search = (before: WorklistSearch) => ({
      ...before,
      ...change,
      ...toAddress(readSearchFilters()),
      page: undefined,
      ...(!isTyped && !isOffline() && { study: undefined, tab: undefined }),
      filter: undefined,
    })
    void navigate({
      to: '.',
      search,
      ...(isTyped ? asTypedSearch(state) : { state: asNewSearch(), replace: state.isTypedSearch === true }),
    })
    if (!isTyped) void client.invalidateQueries({ queryKey: studyKeys.lists })
  }
  const handleSearch = (inbox: Inbox | undefined) => show({ group: inbox?.id })
  return (
    <PageFrame isWide>
      <SearchedStudies
        title={t('grid.title')}
        view={view}
        viewKey={viewKey}
        inboxes={inboxes}
        shownInList={isDateShortcut(filters.studyDate) ? ['work', 'studyDate'] : ['work']}
        knowsSort={knowsGridSort}
        onSearch={handleSearch}
        onType={() => show({}, true)}
        onClear={() => show({ group: undefined })}
        layout="gridSplit"
        renderList={(given) => (
          <Worklist
            {...given}
            rows={readWorklistRows(rows)}
            sort={readGridSort(sort)}
            onSort={({ column, isDescending }) =>
              void put({ sort: `${column}-${isDescending ? 'desc' : 'asc'}`, page: undefined })
            }
            onWork={(next) => {
              setSearchFilters({ ...filters, work: next === 'any' ? '' : next })
              void put({ ...toAddress(readSearchFilters()), page: undefined })
            }}
            studyDate={filters.studyDate}
            onStudyDate={(studyDate) => {
              setSearchFilters({ ...filters, studyDate })
              show({})
            }}
            onRows={(next) => void put({ rows: next, page: undefined })}
            onPage={(next) => void put({ page: next > 1 ? next : undefined }, false)}
          />
        )}
      />
    </PageFrame>
  )
}
