import { useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { CopyLink } from '../features/search/copy-link.tsx'
import { LinkNotice } from '../features/search/link-notice.tsx'
import { SearchBar } from '../features/search/search-bar.tsx'
import { focusCard } from '../features/studies/list-keys.ts'
import { StudyList } from '../features/studies/study-list.tsx'
import { todayIn } from '../format/date-range.ts'
import { t } from '../labels/label.ts'
import { type Inbox, useInboxes } from '../queries/namespaces.ts'
import { isUnreadSearch } from '../queries/saved-searches.ts'
import { studyKeys } from '../queries/studies.ts'
import { readWorkFilter, searchedState, type StudyView, validSort } from '../queries/study-view.ts'
import { usePreferences } from '../session/preferences.ts'
import { clearActMessages } from '../state/act-messages.ts'
import { useMarked } from '../state/marked-studies.ts'
import { useSearchFilters } from '../state/search-filters.ts'
import { Banner } from '../ui/banner.tsx'
import { QuietState } from '../ui/quiet-state.tsx'
import { ScreenKeys } from './screen-keys.tsx'
import { StudyPane, usePane } from './study-pane.tsx'
import style from './screens.module.css'

/** What of a list stands behind the question mark of its address. */
interface ListAddress {
  study?: string
  tab?: string
  sort?: string
  page?: number
  work?: string
}

/** The inbox: search, list, panel. What is shown stands in the address; only the search, which names patients, does not. */
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
    work: readWorkFilter(search.work),
    filters,
    today: todayIn(timeZone),
  }
  return <Studies key={`${inbox?.id ?? ''} ${view.state}`} view={view} inboxes={inboxes} />
}

function Studies({ view, inboxes }: { view: StudyView; inboxes: readonly Inbox[] }) {
  const { study: uuid, tab, filter } = useSearch({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  const [isCovered, setIsCovered] = useState(false)
  const viewKey = [view.inbox?.id ?? 'all', view.state, view.work, JSON.stringify(view.filters)].join(' ')
  const marked = [...useMarked(viewKey).values()]
  const selected = marked.length === 1 && !uuid ? marked[0]?.uuid : uuid
  const pane = usePane(selected, marked.length)
  /** Changes the part of the address behind the question mark; moving through a list leaves no trail of pages. */
  const put = (change: ListAddress, replace = true) =>
    navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
  const handleSearch = (inbox: Inbox | undefined) => {
    // Order and status stay; page and selection were those of another search.
    const search = ({ sort, work }: ListAddress): ListAddress => ({ sort, work })
    void (inbox
      ? navigate({
          to: '/group/$groupId/{-$state}',
          params: { groupId: inbox.id, state: searchedState(inbox, view) },
          search,
        })
      : navigate({ to: '/group/list', search }))
    void client.invalidateQueries({ queryKey: studyKeys.lists })
  }
  const deselect = () => put({ study: undefined, tab: undefined })
  const handleClose = async () => {
    await deselect()
    if (selected) requestAnimationFrame(() => focusCard(selected))
  }
  return (
    <>
      <h1 className={style.vh}>{t('list.label')}</h1>
      <SearchBar
        inboxes={inboxes}
        inbox={view.inbox}
        state={view.state}
        today={view.today}
        onSearch={handleSearch}
        onAdvanced={setIsCovered}
      >
        <CopyLink key={viewKey} today={view.today} />
      </SearchBar>
      {filter && (
        <div className={style.notice}>
          <LinkNotice filter={filter} />
        </div>
      )}
      {!isUnreadSearch(filter) && (
        <div className={style.split} inert={isCovered} data-pane={pane}>
          <StudyList
            view={view}
            viewKey={viewKey}
            inboxes={inboxes}
            selectedUuid={selected}
            onSelect={(study) => {
              clearActMessages()
              void put({ study }, uuid !== undefined)
            }}
            onClose={() => void handleClose()}
            onSort={(sort) => void put({ sort, page: undefined })}
            onWork={(work) => void put({ work: work === 'any' ? undefined : work, page: undefined, study: undefined })}
            onPage={(page) => void put({ page: page > 1 ? page : undefined, study: undefined }, false)}
          />
          <StudyPane
            selectedUuid={selected}
            marked={marked}
            inbox={view.inbox}
            inboxes={inboxes}
            state={view.state}
            tab={tab}
            onTab={(next) => void put({ tab: next })}
            onClose={() => void handleClose()}
            onDeselect={() => void deselect()}
          >
            <section className={style.noPanel} aria-label={t('exam.label')}>
              <QuietState title={t('exam.none')} />
            </section>
          </StudyPane>
        </div>
      )}
      <ScreenKeys />
    </>
  )
}

function GroupNotFound({ inboxes }: { inboxes: readonly Inbox[] }) {
  const navigate = useNavigate()
  const { timeZone } = usePreferences()
  return (
    <>
      <h1 className={style.vh}>{t('list.label')}</h1>
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
