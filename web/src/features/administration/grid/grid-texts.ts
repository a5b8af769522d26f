import { t } from '../../../labels/label.ts'
import type { GridTexts } from '../../../ui/grid-view.ts'

/** The texts of a grid: its own, and those that all have in common. */
export function gridTexts(own: Pick<GridTexts, 'label' | 'failed' | 'empty'>, total: number | undefined): GridTexts {
  return {
    ...own,
    loading: t('loading'),
    retry: t('button.retry'),
    acts: t('users.acts'),
    selectAll: t('grid.selectAll'),
    selectOne: (name) => t('users.selectOne', { name }),
    rowsPerPage: t('users.rows'),
    previous: t('users.previous'),
    next: t('users.next'),
    range: (from, to) => t('users.range', { from, to, total: total ?? to }),
  }
}
