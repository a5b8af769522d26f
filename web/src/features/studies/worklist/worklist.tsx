import type { Study } from '@hilum/contract/entities/study'
import { Button, NativeSelect } from '@mantine/core'
import { type KeyboardEvent, lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react'
import type { DateRange } from '../../../format/date-range.ts'
import { t } from '../../../labels/label.ts'
import type { Inbox } from '../../../queries/namespaces.ts'
import type { WorkFilter } from '../../../queries/search-expressions.ts'
import type { StudyView } from '../../../queries/study-view.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { mark, rangeTo } from '../../../state/marked-studies.ts'
import type { SearchFilters } from '../../../state/search-filters.ts'
import { IconColumns, IconSelector } from '../../../ui/icons.ts'
import { useScrollEdges } from '../../../ui/use-scroll-edges.ts'
import { ArrivedButton } from '../arrived-button.tsx'
import { EmptyList } from '../empty-list.tsx'
import { ListNotes } from '../list-notes.tsx'
import { MarkedActs } from '../marked-acts.tsx'
import { Pages } from '../pages.tsx'
import { resultsText, selectedText } from '../results-text.ts'
import { useListActs } from '../use-list-acts.ts'
import { useListedStudies } from '../use-listed-studies.ts'
import { WorkSelect } from '../work-select.tsx'
import { columnsKey, gridRows, type WorklistSort, readColumns, readWorklistRows, sortExpression } from './columns.ts'
import { DateShortcuts, shortcutText } from './date-shortcuts.tsx'
import { StudyGrid } from './study-grid.tsx'
import { useColumnWidths } from './column-widths.ts'
import style from './worklist.module.css'

const ColumnChooser = lazy(async () => ({ default: (await import('./column-chooser.tsx')).ColumnChooser }))

interface WorklistProps {
  view: StudyView
  viewKey: string
  rows: number
  sort: WorklistSort
  inboxes: readonly Inbox[]
  selectedUuid: string | undefined
  onSelect: (uuid: string) => void
  onClose: () => void
  onSort: (sort: WorklistSort) => void
  onWork: (work: WorkFilter) => void
  /** Searches by these filters in the place that is shown. */
  onFilters: (filters: SearchFilters) => void
  studyDate: DateRange
  onStudyDate: (range: DateRange) => void
  onRows: (rows: number) => void
  onPage: (page: number) => void
}

/** The studies of all groups in one dense grid, by the same search and with the same acts as the list. */
export function Worklist(props: WorklistProps) {
  const { view, viewKey, inboxes, rows, sort, selectedUuid } = props
  const { settings } = useEstablished()
  const reader = usePreferences()
  const [isChoosing, setIsChoosing] = useState(false)
  const grid = { rows, sortBy: sortExpression(sort) }
  const listed = useListedStudies({ view, viewKey, inboxes, selectedUuid, grid })
  const { studies, count, marked, arrivedCount } = listed
  const chosen = readColumns(settings[columnsKey])
  const [widths, setWidth] = useColumnWidths()
  const list = useRef<HTMLDivElement>(null)
  const handleStar = (study: Study) => listed.star.mutate({ uuid: study.uuid, star: 1 - study.star })
  const { handleSelect, handleKeyDown } = useListActs({
    list,
    viewKey,
    studies,
    selectedUuid,
    mayMarkSeveral: true,
    onSelect: props.onSelect,
    onStar: handleStar,
    onClose: props.onClose,
  })
  const handleShowArrived = () => {
    listed.showArrived()
    list.current?.scrollTo({ top: 0 })
  }
  const handleMark = (some: readonly Study[], isMarked: boolean, range?: Study) =>
    mark(viewKey, range ? rangeTo(viewKey, studies, range.uuid) : some, isMarked, some[0]?.uuid)
  return (
    <section className={style.worklist} aria-label={t('list.label')} aria-busy={listed.isFetching}>
      <div className={style.tools}>
        <span className={style.total} role="status">
          {marked.size > 0
            ? selectedText(marked.size, view.filters, shortcutText(props.studyDate))
            : resultsText(count)}
          {marked.size === 0 && arrivedCount > 0 && <ArrivedButton count={arrivedCount} onShow={handleShowArrived} />}
        </span>
        {marked.size > 0 ? (
          <MarkedActs
            marked={[...marked.values()]}
            state={view.state}
            onRestore={listed.restore}
            onSetStatus={listed.setStatus}
          />
        ) : (
          <WorkSelect value={view.filters.work} onChange={props.onWork} />
        )}
        {/* Hidden while studies are marked: a second line of acts would move the rows under the pointer. */}
        {marked.size === 0 && (
          <>
            <DateShortcuts value={props.studyDate} onChange={props.onStudyDate} />
            <Button
              variant="default"
              className={style.columns}
              leftSection={<IconColumns size={15} />}
              aria-label={t('grid.columns')}
              title={t('grid.columns')}
              aria-haspopup="dialog"
              onClick={() => setIsChoosing(true)}
            >
              {t('grid.columns')}
            </Button>
            <NativeSelect
              aria-label={t('grid.rows')}
              rightSection={<IconSelector size={14} />}
              data={gridRows.map((size) => ({ value: String(size), label: t('grid.rowsOf', { count: size }) }))}
              value={String(rows)}
              onChange={(event) => props.onRows(readWorklistRows(Number(event.currentTarget.value)))}
            />
          </>
        )}
        <Pages page={view.page} rows={rows} count={count} hasMore={listed.hasMore} onPage={props.onPage} />
      </div>
      <ListNotes listed={listed} />
      {listed.isRead && studies.length === 0 && (
        <EmptyList
          view={view}
          inboxes={inboxes}
          onShowAnyStatus={() => props.onWork('any')}
          onFilters={props.onFilters}
        />
      )}
      {studies.length > 0 && (
        <ScrollFrame listRef={list} onKeyDown={handleKeyDown} onTouch={listed.setIsTouched}>
          <StudyGrid
            studies={studies}
            reader={reader}
            chosen={chosen}
            widths={widths}
            onWidth={setWidth}
            sort={sort}
            selectedUuid={selectedUuid}
            marked={marked}
            onSort={props.onSort}
            onSelect={handleSelect}
            onStar={handleStar}
            onMark={handleMark}
          />
        </ScrollFrame>
      )}
      {isChoosing && (
        <Suspense fallback={null}>
          <ColumnChooser chosen={chosen} onClose={() => setIsChoosing(false)} />
        </Suspense>
      )}
    </section>
  )
}

interface ScrollFrameProps {
  listRef: RefObject<HTMLDivElement | null>
  onKeyDown: (event: KeyboardEvent) => void
  /** Tells when the person's hand is on the rows, which then stay where they are. */
  onTouch: (isTouched: boolean) => void
  children: ReactNode
}

/** The grid in its window, whose sides say where columns are out of sight. */
function ScrollFrame({ listRef, onKeyDown, onTouch, children }: ScrollFrameProps) {
  const [edges, followEdges] = useScrollEdges()
  return (
    <div
      className={style.scrollFrame}
      data-more-start={edges.start || undefined}
      data-more-end={edges.end || undefined}
    >
      <div
        ref={(element) => {
          listRef.current = element
          return followEdges(element)
        }}
        className={style.scroll}
        tabIndex={0}
        role="group"
        aria-label={t('grid.title')}
        onKeyDown={onKeyDown}
        onPointerEnter={() => onTouch(true)}
        onPointerLeave={(event) => onTouch(event.currentTarget.scrollTop > 0)}
        onScroll={({ currentTarget }) => onTouch(currentTarget.scrollTop > 0 || currentTarget.matches(':hover'))}
      >
        {children}
      </div>
    </div>
  )
}
