import type { Study } from '@hilum/contract/entities/study'
import { type ReactNode, useDeferredValue, useRef } from 'react'
import { t } from '../../labels/label.ts'
import { inboxName } from '../../queries/inbox-name.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import type { WorkFilter } from '../../queries/search-expressions.ts'
import type { SortKey, StudyView } from '../../queries/study-view.ts'
import { useHasPictures, usePreferences } from '../../session/preferences.ts'
import { mark, unmarkAll } from '../../state/marked-studies.ts'
import type { SearchFilters } from '../../state/search-filters.ts'
import { EmptyList } from './empty-list.tsx'
import { ListHead } from './list-head.tsx'
import { ListNotes } from './list-notes.tsx'
import { MarkedActs } from './marked-acts.tsx'
import { StudyCard } from './study-card.tsx'
import style from './study-list.module.css'
import { useListActs } from './use-list-acts.ts'
import { useListedStudies } from './use-listed-studies.ts'

interface StudyListProps {
  view: StudyView
  /** Names the view without page and order: marks are kept within it. */
  viewKey: string
  inboxes: readonly Inbox[]
  selectedUuid: string | undefined
  onSelect: (uuid: string) => void
  onClose: () => void
  onSort: (sort: SortKey) => void
  onWork: (work: WorkFilter) => void
  /** Searches by these filters in the place that is shown. */
  onFilters: (filters: SearchFilters) => void
  onPage: (page: number) => void
}

/** The studies of a view, a page at a time (LIST-02). */
export function StudyList(props: StudyListProps) {
  const { view, viewKey, inboxes, selectedUuid } = props
  const { dateFormat } = usePreferences()
  const hasPictures = useHasPictures()
  const listed = useListedStudies({ view, viewKey, inboxes, selectedUuid })
  const { studies, marked, restore, setStatus, isReset, setIsTouched } = listed
  const list = useRef<HTMLUListElement>(null)
  const mayMarkSeveral = view.inbox?.designation !== 'GATEKEEPER' // LIST-14
  const markedHere = studies.filter(({ uuid }) => marked.has(uuid)).length
  const pageMarks = markedHere === 0 ? 'none' : markedHere === studies.length ? 'all' : 'some'

  const handleStar = (study: Study) => listed.star.mutate({ uuid: study.uuid, star: 1 - study.star })
  const { handleMark, handleSelect, handleKeyDown } = useListActs({
    list,
    viewKey,
    studies,
    selectedUuid,
    mayMarkSeveral,
    onSelect: props.onSelect,
    onStar: handleStar,
    onClose: props.onClose,
  })
  const handleShowArrived = () => {
    listed.showArrived()
    list.current?.scrollTo({ top: 0 })
  }
  const placeOf = (study: Study) => {
    if (view.inbox || inboxes.length < 2) return undefined
    const inbox = inboxes.find(({ namespaceId }) => namespaceId === study.phi_namespace)
    return inbox ? inboxName(inbox) : study.phi_namespace_name
  }
  const isRestorable = view.state === 'Deleted'
  const isEmpty = listed.isRead && studies.length === 0

  return (
    <section className={style.list} aria-label={t('list.label')} aria-busy={listed.isFetching}>
      <ListHead
        view={view}
        count={isReset ? undefined : listed.count}
        hasMore={listed.hasMore}
        markedCount={marked.size}
        pageMarks={mayMarkSeveral && !isEmpty ? pageMarks : undefined}
        hasStudies={studies.length > 0}
        markedActs={
          <MarkedActs marked={[...marked.values()]} state={view.state} onRestore={restore} onSetStatus={setStatus} />
        }
        arrivedCount={listed.arrivedCount}
        onShowArrived={handleShowArrived}
        onMarkPage={(isMarked) => mark(viewKey, studies, isMarked)}
        onSort={props.onSort}
        onWork={props.onWork}
        onPage={props.onPage}
      />
      <ListNotes listed={listed} />
      {isEmpty && (
        <EmptyList
          view={view}
          inboxes={inboxes}
          onShowAnyStatus={() => props.onWork('any')}
          onFilters={props.onFilters}
        />
      )}
      {studies.length > 0 && !isReset && (
        <ul
          ref={list}
          key={listed.pageKey}
          className={style.studies}
          data-stale={listed.isStale || undefined}
          onKeyDown={handleKeyDown}
          onPointerEnter={() => setIsTouched(true)}
          onPointerLeave={() => setIsTouched((list.current?.scrollTop ?? 0) > 0)}
          onScroll={(event) => setIsTouched(event.currentTarget.scrollTop > 0 || event.currentTarget.matches(':hover'))}
        >
          <CardsInTurn>
            {studies.map((study) => (
              <StudyCard
                key={study.uuid}
                study={study}
                designation={view.inbox?.designation}
                place={placeOf(study)}
                dateFormat={dateFormat}
                isSelected={study.uuid === selectedUuid}
                hasPicture={hasPictures && !isRestorable}
                isMarked={mayMarkSeveral ? marked.has(study.uuid) : undefined}
                onSelect={handleSelect}
                onMark={handleMark}
                onStar={handleStar}
                onRestore={isRestorable ? ({ uuid }) => restore.mutate([uuid], { onSuccess: unmarkAll }) : undefined}
              />
            ))}
          </CardsInTurn>
        </ul>
      )}
    </section>
  )
}

/** Enough to fill a large screen. */
const FIRST_CARDS = 14

/** The cards in sight at once, so that a click or key is answered; the others of the page once these are drawn. */
function CardsInTurn({ children }: { children: readonly ReactNode[] }): ReactNode {
  const count = useDeferredValue(children.length, FIRST_CARDS)
  return children.slice(0, count)
}
