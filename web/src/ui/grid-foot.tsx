import { ActionIcon, NativeSelect } from '@mantine/core'
import style from './data-grid.module.css'
import { type GridTexts, type GridView, rowsPerPage } from './grid-view.ts'
import { IconChevronLeft, IconChevronRight } from './icons.ts'

interface GridFootProps {
  texts: GridTexts
  view: GridView
  onView: (view: GridView) => void
  hasMore: boolean
  /** Rows on this page. */
  shown: number
}

/** Rows per page, the rows that are shown, and the pages before and after. */
export function GridFoot({ texts, view, onView, hasMore, shown }: GridFootProps) {
  // an empty grid has nothing to page through
  if (shown === 0 && view.page === 1) return <span role="status" />
  const from = (view.page - 1) * view.rows
  return (
    <div className={style.foot}>
      <label className={style.rows}>
        {texts.rowsPerPage}
        <NativeSelect
          size="xs"
          value={String(view.rows)}
          data={rowsPerPage.map(String)}
          onChange={(event) => onView({ ...view, rows: Number(event.currentTarget.value), page: 1 })}
        />
      </label>
      <span role="status">{shown > 0 && texts.range(from + 1, from + shown)}</span>
      <ActionIcon
        aria-label={texts.previous}
        disabled={view.page === 1}
        onClick={() => onView({ ...view, page: view.page - 1 })}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <ActionIcon aria-label={texts.next} disabled={!hasMore} onClick={() => onView({ ...view, page: view.page + 1 })}>
        <IconChevronRight size={18} />
      </ActionIcon>
    </div>
  )
}
