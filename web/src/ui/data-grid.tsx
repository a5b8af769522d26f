import { Checkbox } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import style from './data-grid.module.css'
import { FailedBanner } from './failed-banner.tsx'
import { GridFoot } from './grid-foot.tsx'
import type { GridSort, GridTexts, GridView } from './grid-view.ts'
import { HeardOnly } from './heard-only.tsx'
import { IconArrowDown, IconArrowUp } from './icons.ts'
import { LoadingState } from './quiet-state.tsx'
import { useLastPage } from './use-last-page.ts'

export interface GridColumn<Row> {
  key: string
  title: string
  /** The field by which the server sorts; without one the column has no order. */
  sort?: string
  /** The column that names the row. */
  isName?: boolean
  /** As wide as what stands in it. */
  isNarrow?: boolean
  cell: (row: Row) => ReactNode
}
interface DataGridProps<Row> {
  texts: GridTexts
  columns: readonly GridColumn<Row>[]
  /** Rows of this page; undefined before the first answer. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** A row that stands for something out of use. */
  isDimmed?: (row: Row) => boolean
  view: GridView
  onView: (view: GridView) => void
  /** The server's word that a page follows (GRID-03). */
  hasMore: boolean
  isBusy: boolean
  failure: Error | null
  onRetry: () => void
  /** Keys that are selected, also on other pages (GRID-02). Without it nothing can be selected. */
  selected?: ReadonlySet<string>
  onSelect?: (rows: readonly Row[], isSelected: boolean) => void
  /** Buttons of a row; only those of the row that the keyboard stands on take the Tab key. */
  acts?: (row: Row, tabIndex: 0 | -1) => ReactNode
  /** Enter on a row. */
  onOpen?: (row: Row) => void
}

/**
 * A list in rows, paged and sorted by the server. Arrow keys, Home and End go from row to row, Page Up and Page Down from
 * page to page, the space bar selects.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { texts, columns, rows, keyOf, view, onView, hasMore, isBusy, failure, selected, onSelect, acts } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [activeKey, setActiveKey] = useState('')
  const active = rows?.some((row) => keyOf(row) === activeKey) ? activeKey : rows?.[0] && keyOf(rows[0])
  const goTo = (page: number) => {
    if (page >= 1 && (page < view.page || hasMore)) onView({ ...view, page })
  }
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const shown = [...(body.current?.querySelectorAll('tr') ?? [])]
    const at = shown.findIndex((row) => row === event.target)
    const row = rows?.[at]
    if (at < 0 || !row) return
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key]
    if (to !== undefined) shown[to]?.focus()
    else if (event.key === 'PageDown') goTo(view.page + 1)
    else if (event.key === 'PageUp') goTo(view.page - 1)
    else if (event.key === ' ') onSelect?.([row], !selected?.has(keyOf(row)))
    else if (event.key === 'Enter') props.onOpen?.(row)
    else return
    event.preventDefault()
  }
  const handlePage = useCallback((page: number) => onView({ ...view, page }), [onView, view])
  const isBehindEnd = useLastPage({
    page: view.page,
    count: isBusy || failure ? undefined : rows?.length,
    hasMore,
    onPage: handlePage,
  })
  if (failure && !rows) {
    return (
      <FailedBanner retry={texts.retry} isRetrying={isBusy} onRetry={props.onRetry}>
        {texts.failed}
      </FailedBanner>
    )
  }
  if (!rows || isBehindEnd) return <LoadingState label={texts.loading} />
  return (
    <div className={style.grid} data-busy={isBusy}>
      {failure && (
        <FailedBanner retry={texts.retry} isRetrying={isBusy} onRetry={props.onRetry}>
          {texts.failed}
        </FailedBanner>
      )}
      {rows.length === 0 ? (
        <p className={style.empty} role="status">
          {texts.empty}
        </p>
      ) : (
        <table
          // a table whose rows are selected and walked by keys
          role="grid"
          aria-label={texts.label}
          aria-multiselectable={selected ? true : undefined}
          className={style.table}
          onKeyDown={handleKeyDown}
        >
          <thead>
            <tr>
              {selected && (
                <th scope="col" data-narrow>
                  <PageCheckbox {...props} rows={rows} />
                </th>
              )}
              {columns.map((column) => (
                <GridHead
                  key={column.key}
                  column={column}
                  sort={view.sort}
                  onSort={(sort) => onView({ ...view, sort, page: 1 })}
                />
              ))}
              {acts && (
                <th scope="col" data-acts>
                  <HeardOnly>{texts.acts}</HeardOnly>
                </th>
              )}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row) => (
              <GridRow
                key={keyOf(row)}
                {...props}
                row={row}
                isActive={active === keyOf(row)}
                onActive={() => setActiveKey(keyOf(row))}
              />
            ))}
          </tbody>
        </table>
      )}
      <GridFoot texts={texts} view={view} onView={onView} hasMore={hasMore} shown={rows.length} />
    </div>
  )
}

/** Selects the rows of this page, and leaves those of other pages as they are. */
function PageCheckbox<Row>({ texts, rows, keyOf, selected, onSelect }: DataGridProps<Row> & { rows: readonly Row[] }) {
  const count = rows.filter((row) => selected?.has(keyOf(row))).length
  return (
    <Checkbox
      size="xs"
      aria-label={texts.selectAll}
      checked={count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      onChange={() => onSelect?.(rows, count < rows.length)}
    />
  )
}

interface GridHeadProps<Row> {
  column: GridColumn<Row>
  sort: GridSort
  onSort: (sort: GridSort) => void
}

function GridHead<Row>({ column: { title, sort: field, isNarrow }, sort, onSort }: GridHeadProps<Row>) {
  if (!field) return <th scope="col">{title}</th>
  const isSorted = sort.field === field
  const Icon = isSorted && sort.isDescending ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      data-narrow={isNarrow}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={style.sort}
        data-sorted={isSorted}
        onClick={() => onSort({ field, isDescending: isSorted && !sort.isDescending })}
      >
        {title}
        <Icon size={13} />
      </button>
    </th>
  )
}

type GridRowProps<Row> = DataGridProps<Row> & { row: Row; isActive: boolean; onActive: () => void }

function GridRow<Row>(props: GridRowProps<Row>) {
  const { texts, columns, row, keyOf, nameOf, isDimmed, selected, onSelect, acts, isActive, onActive } = props
  const isSelected = selected?.has(keyOf(row)) ?? false
  const tabIndex = isActive ? 0 : -1
  return (
    <tr
      tabIndex={tabIndex}
      aria-selected={selected ? isSelected : undefined}
      data-dimmed={isDimmed?.(row) ?? false}
      onFocus={onActive}
    >
      {selected && (
        <td data-narrow>
          <Checkbox
            size="xs"
            tabIndex={tabIndex}
            aria-label={texts.selectOne(nameOf(row))}
            checked={isSelected}
            onChange={() => onSelect?.([row], !isSelected)}
          />
        </td>
      )}
      {columns.map(({ key, cell, isName, isNarrow }) =>
        isName ? (
          <th key={key} scope="row">
            {cell(row)}
          </th>
        ) : (
          <td key={key} data-narrow={isNarrow}>
            {cell(row)}
          </td>
        ),
      )}
      {acts && (
        <td data-acts>
          <div className={style.acts}>{acts(row, tabIndex)}</div>
        </td>
      )}
    </tr>
  )
}
