import type { StudyState } from '@hilum/contract/inbox-config'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { AddressNotice } from '../features/search/address-notice.tsx'
import { CopyLink } from '../features/search/copy-link.tsx'
import { LinkNotice } from '../features/search/link-notice.tsx'
import { advancedDraft, SearchBar } from '../features/search/search-bar.tsx'
import { focusCard } from '../features/studies/list-keys.ts'
import type { Inbox } from '../queries/namespaces.ts'
import { isUnreadSearch } from '../queries/saved-searches.ts'
import type { StudyView } from '../queries/study-view.ts'
import { clearActMessages } from '../state/act-messages.ts'
import { useDraft } from '../state/drafts.ts'
import { enterView, useMarked } from '../state/marked-studies.ts'
import { type SearchFilters, setSearchFilters } from '../state/search-filters.ts'
import { HeardOnly } from '../ui/heard-only.tsx'
import { ScreenKeys } from './screen-keys.tsx'
import { StudyPane, usePane } from './study-pane.tsx'
import style from './screens.module.css'

/** Props of every list of studies, from the screen around it. */
interface ListProps {
  view: StudyView
  viewKey: string
  inboxes: readonly Inbox[]
  selectedUuid: string | undefined
  onSelect: (uuid: string) => void
  onClose: () => void
  onFilters: (filters: SearchFilters) => void
}

interface SearchedStudiesProps {
  title: string
  view: StudyView
  /** Names the view without page and order: marks are kept within it. */
  viewKey: string
  inboxes: readonly Inbox[]
  /** The state that a search from here stays in, where there are states. */
  searchState?: StudyState
  /** Criteria with a control of their own in the list. */
  shownInList: readonly (keyof SearchFilters)[]
  /** Whether an order of the address is one of this list. */
  knowsSort: (sort: string) => boolean
  onSearch: (inbox: Inbox | undefined) => void
  /** Shows what the search in force finds while somebody types. */
  onType: () => void
  onClear: () => void
  layout: 'split' | 'gridSplit'
  /** A single study that is marked is shown as if it were selected. */
  opensMarked?: boolean
  renderList: (props: ListProps) => ReactNode
  /** Content of the pane while no study is selected. */
  children?: ReactNode
}

/**
 * Search, a list of what it found, and the study or studies in hand beside it. The selected study stands in the
 * address.
 */
export function SearchedStudies(props: SearchedStudiesProps) {
  const { view, viewKey, inboxes, layout } = props
  const { study: uuid, tab, filter } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [draft] = useDraft(advancedDraft)
  const [isCovered, setIsCovered] = useState(draft !== '')
  useLayoutEffect(() => enterView(viewKey), [viewKey])
  const marked = [...useMarked(viewKey).values()]
  const selectedUuid = props.opensMarked && marked.length === 1 && !uuid ? marked[0]?.uuid : uuid
  const pane = usePane(selectedUuid, marked.length)
  const put = (change: { study?: string | undefined; tab?: string | undefined }, replace = true) =>
    navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
  const deselect = () => put({ study: undefined, tab: undefined })
  const handleClose = async () => {
    await deselect()
    if (selectedUuid) requestAnimationFrame(() => focusCard(selectedUuid))
  }
  const handleSelect = (study: string) => {
    clearActMessages()
    void put({ study }, uuid !== undefined)
  }
  const onClose = () => void handleClose()
  const onFilters = (filters: SearchFilters) => {
    setSearchFilters(filters)
    props.onSearch(view.inbox)
  }
  return (
    <>
      <HeardOnly as="h1">{props.title}</HeardOnly>
      <SearchBar
        inboxes={inboxes}
        inbox={view.inbox}
        state={props.searchState}
        today={view.today}
        shownBelow={props.shownInList}
        onSearch={props.onSearch}
        onType={props.onType}
        onClear={props.onClear}
        onAdvanced={setIsCovered}
      >
        <CopyLink key={viewKey} today={view.today} />
      </SearchBar>
      <div className={style.notice}>
        <LinkNotice filter={filter} />
        <AddressNotice inboxes={inboxes} knowsSort={props.knowsSort} />
      </div>
      {!isUnreadSearch(filter) && (
        <div className={style[layout]} inert={isCovered} data-pane={pane}>
          {props.renderList({ view, viewKey, inboxes, selectedUuid, onSelect: handleSelect, onClose, onFilters })}
          <StudyPane
            selectedUuid={selectedUuid}
            marked={marked}
            inboxes={inboxes}
            state={view.state}
            tab={tab}
            onTab={(next) => void put({ tab: next })}
            onClose={onClose}
            onOpen={handleSelect}
            onDeselect={() => void deselect()}
          >
            {props.children}
          </StudyPane>
        </div>
      )}
      <ScreenKeys />
    </>
  )
}
