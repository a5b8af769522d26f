import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import type { Inbox } from '../../queries/namespaces.ts'
import { studiesQuery, studyCountQuery } from '../../queries/studies.ts'
import type { SortKey, StudyView } from '../../queries/study-view.ts'
import { usePreferences } from '../../session/preferences.ts'
import { mark, rangeTo, unmarkAll, useMarked } from '../../state/marked-studies.ts'
import { Banner } from '../../ui/banner.tsx'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { EmptyList } from './empty-list.tsx'
import { ListHead } from './list-head.tsx'
import { stepOf, neighbourCard } from './list-keys.ts'
import { steadyList } from './steady-list.ts'
import { StudyCard } from './study-card.tsx'
import style from './study-list.module.css'

interface StudyListProps {
  view: StudyView
  /** Names the view without page and order: marks are kept within it. */
  viewKey: string
  inboxes: readonly Inbox[]
  selectedUuid: string | undefined
  onSelect: (uuid: string) => void
  onSort: (sort: SortKey) => void
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
  const isHeld = isTouched || selectedUuid !== undefined || marked.size > 0
  const pageKey = `${viewKey} ${view.sort} ${view.page}`
  const steady = useSteadyStudies(pageKey, data?.studies, isHeld, isPlaceholderData)
  const { studies } = steady
  const mayMarkSeveral = view.inbox?.designation !== 'GATEKEEPER' // LIST-14
  const markedHere = studies.filter(({ uuid }) => marked.has(uuid)).length
  const pageMarks = markedHere === 0 ? 'none' : markedHere === studies.length ? 'all' : 'some'

  const handleMark = (study: Study, isMarked: boolean, isRange: boolean) =>
    mark(viewKey, isRange ? rangeTo(viewKey, studies, study.uuid) : [study], isMarked, study.uuid)
  const handleSelect = (study: Study, event: MouseEvent) => {
    if (mayMarkSeveral && event.shiftKey) handleMark(study, true, true)
    else if (mayMarkSeveral && (event.ctrlKey || event.metaKey)) handleMark(study, !marked.has(study.uuid), false)
    else props.onSelect(study.uuid)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    const next = step === 0 || !list.current ? undefined : neighbourCard(list.current, step)
    const focused = (document.activeElement as HTMLElement | null)?.dataset['card']
    const study = studies.find(({ uuid }) => uuid === focused)
    if (next) {
      event.preventDefault()
      next.focus()
      if (next.dataset['card']) props.onSelect(next.dataset['card'])
    } else if (event.key === 'x' && study && mayMarkSeveral) {
      event.preventDefault()
      handleMark(study, !marked.has(study.uuid), false)
    }
  }
  const handleShowArrived = () => {
    steady.showAll()
    list.current?.scrollTo({ top: 0 })
  }

  return (
    <section className={style.list} aria-label={t('list.label')} aria-busy={isFetching}>
      <ListHead
        view={view}
        count={count}
        hasMore={data?.hasMore ?? false}
        markedCount={marked.size}
        pageMarks={mayMarkSeveral ? pageMarks : undefined}
        arrivedCount={view.page === 1 ? steady.arrivedCount : 0}
        onShowArrived={handleShowArrived}
        onMarkPage={(isMarked) => mark(viewKey, studies, isMarked)}
        onUnmarkAll={unmarkAll}
        onSort={props.onSort}
        onPage={props.onPage}
      />
      {error && (
        <div className={style.notice}>
          <Banner tone="failed" action={<RetryButton onRetry={() => void refetch()} />}>
            {t('list.failed')}
          </Banner>
        </div>
      )}
      {isPending && view.state !== 'Pending Requests' && !error && <LoadingState label={t('loading')} />}
      {studies.length === 0 && (data || view.state === 'Pending Requests') && !error && <EmptyList view={view} />}
      {studies.length > 0 && !error && (
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
            />
          ))}
        </ul>
      )}
    </section>
  )
}

function RetryButton({ onRetry }: { onRetry: () => void }) {
  return (
    <Button variant="default" size="compact-xs" onClick={onRetry}>
      {t('button.retry')}
    </Button>
  )
}

/** The studies to show and those held back, by what stood on screen at the last render of this view. */
function useSteadyStudies(key: string, fresh: readonly Study[] | undefined, isHeld: boolean, isPlaceholder: boolean) {
  const [shown, setShown] = useState<{ key: string; studies: readonly Study[] } | undefined>()
  const before = shown?.key === key ? shown.studies : undefined
  const { studies, arrivedCount } = steadyList(before, fresh ?? [], isHeld)
  const isChanged = studies.length !== before?.length || studies.some((study, at) => study !== before[at])
  // Another page's rows, shown until this one's are here, are not this page's.
  if (isPlaceholder) return { studies: fresh ?? [], arrivedCount: 0, showAll: () => undefined }
  if (fresh && isChanged) setShown({ key, studies })
  return { studies, arrivedCount, showAll: () => setShown({ key, studies: fresh ?? [] }) }
}
