import { ActionIcon, Button, Checkbox, NativeSelect } from '@mantine/core'
import { studyPageRows } from '@hilum/contract/limits'
import { formatCount } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { type SortKey, sortsOf, type StudyView } from '../../queries/study-view.ts'
import { countCap } from '../../queries/studies.ts'
import { IconArrowUp, IconChevronLeft, IconChevronRight, IconSelector } from '../../ui/icons.ts'
import style from './study-list.module.css'

export interface ListHeadProps {
  view: StudyView
  /** Undefined until counted. */
  count: number | undefined
  hasMore: boolean
  markedCount: number
  /** Undefined where several cannot be marked. */
  pageMarks: 'all' | 'some' | 'none' | undefined
  /** Studies that came while the list was held still. */
  arrivedCount: number
  onShowArrived: () => void
  onMarkPage: (isMarked: boolean) => void
  onUnmarkAll: () => void
  onSort: (sort: SortKey) => void
  onPage: (page: number) => void
}

/** How many there are, in which order, which page; or how many are marked. */
export function ListHead(props: ListHeadProps) {
  const { view, markedCount, pageMarks } = props
  return (
    <div className={style.head}>
      {pageMarks && (
        <Checkbox
          aria-label={t('list.selectAll')}
          checked={pageMarks === 'all'}
          indeterminate={pageMarks === 'some'}
          onChange={(event) => props.onMarkPage(event.currentTarget.checked)}
        />
      )}
      <span className={style.total} role="status">
        {markedCount > 0 ? (
          t('list.selected', { count: markedCount })
        ) : props.arrivedCount > 0 ? (
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconArrowUp size={13} aria-hidden="true" />}
            aria-label={t('list.arrived', { count: props.arrivedCount })}
            onClick={props.onShowArrived}
          >
            {t('list.arrivedShort', { count: props.arrivedCount })}
          </Button>
        ) : (
          resultsText(props.count)
        )}
      </span>
      {markedCount > 0 ? (
        <Button variant="subtle" onClick={props.onUnmarkAll}>
          {t('list.clearSelection')}
        </Button>
      ) : (
        <NativeSelect
          rightSection={<IconSelector size={14} aria-hidden="true" />}
          className={style.sort}
          aria-label={t('list.sort')}
          data={sortsOf(view.inbox?.designation).map((sort) => ({ value: sort, label: t(`sort.${sort}`) }))}
          value={view.sort}
          onChange={(event) => props.onSort(event.currentTarget.value as SortKey)} // one of the values given above
        />
      )}
      <Pages {...props} />
    </div>
  )
}

function Pages({ view, count, hasMore, onPage }: ListHeadProps) {
  const isCapped = count !== undefined && count > countCap
  const pages = count === undefined || isCapped ? undefined : Math.max(1, Math.ceil(count / studyPageRows))
  return (
    <span className={style.pages}>
      <ActionIcon aria-label={t('list.previous')} disabled={view.page <= 1} onClick={() => onPage(view.page - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <span>
        {pages === undefined
          ? t('list.pageOnly', { page: view.page })
          : t('list.page', { page: view.page, pages: Math.max(pages, view.page) })}
      </span>
      <ActionIcon aria-label={t('list.next')} disabled={!hasMore} onClick={() => onPage(view.page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </span>
  )
}

function resultsText(count: number | undefined): string {
  if (count === undefined) return ''
  return count > countCap ? t('list.resultsAtLeast', { count: formatCount(countCap) }) : t('list.results', { count })
}
