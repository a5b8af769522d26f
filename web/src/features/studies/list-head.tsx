import { Checkbox, NativeSelect } from '@mantine/core'
import { studyPageRows } from '@hilum/contract/limits'
import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import type { WorkFilter } from '../../queries/search-expressions.ts'
import { type SortKey, sortsOf, type StudyView } from '../../queries/study-view.ts'
import { IconSelector } from '../../ui/icons.ts'
import { ArrivedButton } from './arrived-button.tsx'
import { Pages } from './pages.tsx'
import { resultsText, selectedText } from './results-text.ts'
import style from './study-list.module.css'
import { WorkSelect } from './work-select.tsx'

interface ListHeadProps {
  view: StudyView
  /** Undefined until counted. */
  count: number | undefined
  hasMore: boolean
  markedCount: number
  /** Undefined where several cannot be marked. */
  pageMarks: 'all' | 'some' | 'none' | undefined
  /** False while the page is on its way or failed: there is nothing to mark then. */
  hasStudies: boolean
  /** Acts on the marked studies. */
  markedActs: ReactNode
  /** Studies that came while the list was held still. */
  arrivedCount: number
  onShowArrived: () => void
  onMarkPage: (isMarked: boolean) => void
  onSort: (sort: SortKey) => void
  onWork: (work: WorkFilter) => void
  onPage: (page: number) => void
}

/** How many there are, in which order, which page; or how many are marked, and what can be done with them. */
export function ListHead(props: ListHeadProps) {
  const { view, markedCount, pageMarks } = props
  return (
    <div className={style.head}>
      <div className={style.headRow}>
        {pageMarks && (
          <Checkbox
            aria-label={t('list.selectAll')}
            disabled={!props.hasStudies}
            checked={pageMarks === 'all'}
            indeterminate={pageMarks === 'some'}
            onChange={(event) => props.onMarkPage(event.currentTarget.checked)}
          />
        )}
        <span className={style.total} role="status">
          {markedCount > 0 ? selectedText(markedCount, view.filters) : resultsText(props.count)}
          {markedCount === 0 && props.arrivedCount > 0 && (
            <ArrivedButton count={props.arrivedCount} onShow={props.onShowArrived} />
          )}
        </span>
        <Pages
          page={view.page}
          rows={studyPageRows}
          count={props.count}
          hasMore={props.hasMore}
          onPage={props.onPage}
        />
      </div>
      <div className={style.headRow}>
        {markedCount > 0 ? (
          props.markedActs
        ) : (
          <>
            <WorkSelect className={style.sort} value={view.filters.work} onChange={props.onWork} />
            <NativeSelect
              rightSection={<IconSelector size={14} />}
              className={style.sort}
              aria-label={t('list.sort')}
              data={sortsOf(view.inbox?.designation).map((sort) => ({ value: sort, label: t(`sort.${sort}`) }))}
              value={view.sort}
              onChange={(event) => props.onSort(event.currentTarget.value as SortKey)} // one of the values given above
            />
          </>
        )}
      </div>
    </div>
  )
}
