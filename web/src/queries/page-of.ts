import type { GridView } from '../ui/grid-view.ts'

/** Page and order of a grid, as a list of the server takes them. */
export const pageOf = ({ page, rows, sort }: GridView) => ({
  'page.rows': rows,
  'page.number': page,
  sort_by: `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`,
})
