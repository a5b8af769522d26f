import { ActionIcon } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { countCap } from '../../queries/studies.ts'
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.ts'
import style from './study-list.module.css'

interface PagesProps {
  page: number
  rows: number
  /** Undefined until counted. */
  count: number | undefined
  /** GRID-03: the server's own word decides whether there is a next page. */
  hasMore: boolean
  onPage: (page: number) => void
}

/** Previous and next page. At an end a button stays where it is, so that the focus on it is not lost. */
export function Pages({ page, rows, count, hasMore, onPage }: PagesProps) {
  const isCapped = count !== undefined && count > countCap
  const pages = count === undefined || isCapped ? undefined : Math.max(1, Math.ceil(count / rows))
  const step = (label: string, isOn: boolean, to: number) => ({
    'aria-label': label,
    'aria-disabled': !isOn,
    'data-disabled': isOn ? undefined : true,
    onClick: () => isOn && onPage(to),
  })
  return (
    <span className={style.pages}>
      <ActionIcon {...step(t('list.previous'), page > 1, page - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <span>
        {pages === undefined ? t('list.pageOnly', { page }) : t('list.page', { page, pages: Math.max(pages, page) })}
      </span>
      <ActionIcon {...step(t('list.next'), hasMore, page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </span>
  )
}
