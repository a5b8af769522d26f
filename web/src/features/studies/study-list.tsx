import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { failureCode } from '../../api/api-failure.ts'
import { t } from '../../labels/label.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { studiesQuery, studyCountQuery } from '../../queries/studies.ts'
import { useRestoreStudies, useSetWorkStatus, useStarStudy } from '../../queries/study-acts.ts'
import type { SortKey, StudyView } from '../../queries/study-view.ts'
import { usePreferences } from '../../session/preferences.ts'
import { mark, unmarkAll, useMarked } from '../../state/marked-studies.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { ActNotes, noteRestored, noteStatusSet } from './act-notes.tsx'
import { EmptyList } from './empty-list.tsx'
import { ListHead } from './list-head.tsx'
import { MarkedActs } from './marked-acts.tsx'
import { StudyCard } from './study-card.tsx'
import style from './study-list.module.css'
import { useListActs } from './use-list-acts.ts'
import { useSteadyStudies } from './use-steady-studies.ts'

interface StudyListProps {
  view: StudyView
  /** Names the view without page and order: marks are kept within it. */
  viewKey: string
  inboxes: readonly Inbox[]
  selectedUuid: string | undefined
  onSelect: (uuid: string) => void
  onClose: () => void
  onSort: (sort: SortKey) => void
  onWork: (work: StudyView['work']) => void
  onPage: (page: number) => void
}

/** The studies of a view, a page at a time (LIST-02). */
export function StudyList(props: StudyListProps) {
  const { view, viewKey, inboxes, selectedUuid } = props
  const { dateFormat } = usePreferences()
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery(studiesQuery(view, inboxes))
  const { data: count } = useQuery(studyCountQuery(view, inboxes))
  const marked = useMarked(viewKey)
  const list = useRef<HTMLUListElement>(null)
  const [isTouched, setIsTouched] = useState(false)
  const star = useStarStudy()
  const setStatus = useSetWorkStatus(noteStatusSet)
  const restore = useRestoreStudies(noteRestored)
  const isHeld = isTouched || selectedUuid !== undefined || marked.size > 0
  const pageKey = `${viewKey} ${view.sort} ${view.page}`
  // LIST-16: a search that failed leaves nothing of the one before; a list that could not be refreshed stays, and says so.
  const isReset = error !== null && data === undefined
  const steady = useSteadyStudies(pageKey, data?.studies, isHeld, isPlaceholderData)
  const { studies } = steady
  const mayMarkSeveral = view.inbox?.designation !== 'GATEKEEPER' // LIST-14
  const markedHere = studies.filter(({ uuid }) => marked.has(uuid)).length
  const pageMarks = markedHere === 0 ? 'none' : markedHere === studies.length ? 'all' : 'some'

  const handleStar = (study: Study) => star.mutate({ uuid: study.uuid, star: 1 - study.star })
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
    steady.showAll()
    list.current?.scrollTo({ top: 0 })
  }
  const isRestorable = view.state === 'Deleted'
  const areRequests = view.state === 'Pending Requests'

  return (
    <section className={style.list} aria-label={t('list.label')} aria-busy={isFetching}>
      {/* Requests are no studies: there is nothing to count, order or mark. */}
      {!areRequests && (
        <ListHead
          view={view}
          count={isReset ? undefined : count}
          hasMore={data?.hasMore ?? false}
          markedCount={marked.size}
          pageMarks={mayMarkSeveral ? pageMarks : undefined}
          markedActs={
            <MarkedActs marked={[...marked.values()]} state={view.state} onRestore={restore} onSetStatus={setStatus} />
          }
          arrivedCount={view.page === 1 ? steady.arrivedCount : 0}
          onShowArrived={handleShowArrived}
          onMarkPage={(isMarked) => mark(viewKey, studies, isMarked)}
          onSort={props.onSort}
          onWork={props.onWork}
          onPage={props.onPage}
        />
      )}
      {error && (
        <div className={style.notice}>
          <Banner tone="failed" action={<RetryButton onRetry={() => void refetch()} />}>
            {listFaultText(error, isReset)}
          </Banner>
        </div>
      )}
      <ActNotes restore={restore} setStatus={setStatus} star={star} />
      {isPending && !areRequests && !error && <LoadingState label={t('loading')} />}
      {studies.length === 0 && (data || areRequests) && !isReset && (
        <EmptyList view={view} inboxes={inboxes} onShowAnyStatus={() => props.onWork('any')} />
      )}
      {studies.length > 0 && !isReset && (
        <ul
          ref={list}
          key={pageKey}
          className={style.studies}
          data-stale={isPlaceholderData || undefined}
          onKeyDown={handleKeyDown}
          onPointerEnter={() => setIsTouched(true)}
          onPointerLeave={() => setIsTouched((list.current?.scrollTop ?? 0) > 0)}
          onScroll={(event) => setIsTouched(event.currentTarget.scrollTop > 0 || event.currentTarget.matches(':hover'))}
        >
          {studies.map((study) => (
            <StudyCard
              key={study.uuid}
              study={study}
              designation={view.inbox?.designation}
              dateFormat={dateFormat}
              isSelected={study.uuid === selectedUuid}
              isMarked={mayMarkSeveral ? marked.has(study.uuid) : undefined}
              onSelect={handleSelect}
              onMark={handleMark}
              onStar={handleStar}
              onRestore={isRestorable ? ({ uuid }) => restore.mutate([uuid], { onSuccess: unmarkAll }) : undefined}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

function listFaultText(error: Error, isReset: boolean): string {
  if (failureCode(error) === 'ERR_NETWORK') return t(isReset ? 'list.offline' : 'network.offline')
  return t(isReset ? 'list.failed' : 'list.notRefreshed')
}

function RetryButton({ onRetry }: { onRetry: () => void }) {
  return (
    <Button variant="default" size="compact-xs" onClick={onRetry}>
      {t('button.retry')}
    </Button>
  )
}
