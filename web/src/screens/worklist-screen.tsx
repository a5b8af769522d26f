import { useNavigate, useSearch } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyLink } from '../features/search/copy-link.tsx'
import { LinkNotice } from '../features/search/link-notice.tsx'
import { SearchBar } from '../features/search/search-bar.tsx'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { focusCard } from '../features/studies/list-keys.ts'
import { readGridSort, readRows } from '../features/studies/worklist/columns.ts'
import { Worklist } from '../features/studies/worklist/worklist.tsx'
import { todayIn } from '../format/date-range.ts'
import { t } from '../labels/label.ts'
import { useLiveStudies } from '../queries/live-studies.ts'
import { type Inbox, useInboxes } from '../queries/namespaces.ts'
import { isUnreadSearch } from '../queries/saved-searches.ts'
import { studyKeys } from '../queries/studies.ts'
import { readWorkFilter, type StudyView } from '../queries/study-view.ts'
import { usePreferences } from '../session/preferences.ts'
import { clearActMessages } from '../state/act-messages.ts'
import { useMarked } from '../state/marked-studies.ts'
import { useSearchFilters } from '../state/search-filters.ts'
import { ScreenKeys } from './screen-keys.tsx'
import { StudyPane, usePane } from './study-pane.tsx'
import style from './screens.module.css'

/** What of the worklist stands behind the question mark of its address. */
interface WorklistAddress {
  study?: string
  tab?: string
  sort?: string
  page?: number
  work?: string
  group?: string
  rows?: number
  filter?: string
}

/** The Advanced UI: the inbox's studies in one dense grid over all groups. */
export function WorklistScreen() {
  const inboxes = useInboxes()
  useLiveStudies(inboxes.map(({ namespaceId }) => namespaceId))
  const { study: uuid, tab, sort, page, work, group, rows, filter } = useSearch({ strict: false })
  const filters = useSearchFilters()
  const { timeZone } = usePreferences()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [isCovered, setIsCovered] = useState(false)
  const view: StudyView = {
    inbox: inboxes.find(({ id }) => id === group),
    state: 'Inbox',
    sort: 'upload-desc',
    page: page ?? 1,
    work: readWorkFilter(work),
    filters,
    today: todayIn(timeZone),
  }
  const viewKey = ['worklist', view.inbox?.id ?? 'all', view.work, JSON.stringify(filters)].join(' ')
  const put = (change: WorklistAddress, replace = true) =>
    navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
  const handleSearch = (inbox: Inbox | undefined) => {
    void put({ group: inbox?.id, page: undefined, study: undefined, tab: undefined, filter: undefined }, false)
    void client.invalidateQueries({ queryKey: studyKeys.lists })
  }
  const deselect = () => put({ study: undefined, tab: undefined })
  const handleClose = async () => {
    await deselect()
    if (uuid) requestAnimationFrame(() => focusCard(uuid))
  }
  const marked = [...useMarked(viewKey).values()]
  const pane = usePane(uuid, marked.length)
  return (
    <PageFrame isWide>
      <h1 className={style.vh}>{t('grid.title')}</h1>
      <SearchBar
        inboxes={inboxes}
        inbox={view.inbox}
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
        <div className={style.gridSplit} inert={isCovered} data-pane={pane}>
          <Worklist
            view={view}
            viewKey={viewKey}
            rows={readRows(rows)}
            sort={readGridSort(sort)}
            inboxes={inboxes}
            selectedUuid={uuid}
            onSelect={(study) => {
              clearActMessages()
              void put({ study }, uuid !== undefined)
            }}
            onClose={() => void handleClose()}
            onSort={({ column, isDescending }) =>
              void put({ sort: `${column}-${isDescending ? 'desc' : 'asc'}`, page: undefined })
            }
            onWork={(next) => void put({ work: next === 'any' ? undefined : next, page: undefined })}
            onRows={(next) => void put({ rows: next, page: undefined })}
            onPage={(next) => void put({ page: next > 1 ? next : undefined }, false)}
          />
          <StudyPane
            selectedUuid={uuid}
            marked={marked}
            inbox={view.inbox}
            inboxes={inboxes}
            state={view.state}
            tab={tab}
            onTab={(next) => void put({ tab: next })}
            onClose={() => void handleClose()}
            onDeselect={() => void deselect()}
          />
        </div>
      )}
      <ScreenKeys />
    </PageFrame>
  )
}
