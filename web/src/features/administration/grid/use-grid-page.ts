import { useDebouncedValue } from '@mantine/hooks'
import type { GridView } from '../../../ui/grid-view.ts'
import { useAddress } from '../../../ui/use-address.ts'
import { useStoredRows } from './use-stored-rows.ts'

const filterAfterMs = 300

interface GridPage<Filters> {
  /** As `useStoredRows` takes it. */
  name: string
  /** Fields that the server sorts by; the first one is the order at first. */
  sorts: readonly [string, ...string[]]
  noFilters: Filters
  /** The order at first begins with the greatest: the newest of what has a time. */
  isNewestFirst?: boolean
  /** Turns values that an older address may have into those of today. */
  renew?: (filters: Filters) => Filters
}

/**
 * Page, order and filter of a grid, kept in the address; rows per page, kept for the person. A filter is in force a
 * moment after the last key.
 */
export function useGridPage<Filters extends Record<string, string>>({
  name,
  sorts,
  noFilters,
  isNewestFirst = false,
  renew = (filters) => filters,
}: GridPage<Filters>) {
  const [address, putAddress] = useAddress()
  const [rows, putRows] = useStoredRows(name)
  // as a text, since the wait begins anew with every other object
  const sent = JSON.stringify(renew(readFilters(address, noFilters)))
  const [settled] = useDebouncedValue(sent, filterAfterMs)
  const [typed, filters] = [sent, settled].map((text) => JSON.parse(text) as Filters) as [Filters, Filters] // written above
  const view: GridView = {
    page: readPage(address.get('page')),
    rows,
    sort: readSort(address.get('sort'), sorts, isNewestFirst),
  }

  const handleView = (next: GridView) => {
    const { field, isDescending } = next.sort
    const sort = `${field}-${isDescending ? 'desc' : 'asc'}`
    putAddress({
      page: next.page > 1 ? String(next.page) : undefined,
      sort: sort === `${sorts[0]}-${isNewestFirst ? 'desc' : 'asc'}` ? undefined : sort,
    })
    putRows(next.rows)
  }
  const handleFilter = (next: Filters) => putAddress({ ...next, page: undefined })
  return {
    view,
    handleView,
    /** As typed, and as it is in force. */
    typed,
    filters,
    handleFilter,
    countInForce: Object.values(filters).filter(Boolean).length,
    showFirst: () => putAddress({ page: undefined }),
  }
}

function readFilters<Filters extends Record<string, string>>(address: URLSearchParams, none: Filters): Filters {
  const pairs = Object.keys(none).map((name) => [name, address.get(name) ?? ''])
  return Object.fromEntries(pairs) as Filters // the same names, each with a text
}

function readPage(stored: string | null): number {
  const page = Number(stored)
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}

function readSort(
  stored: string | null,
  sorts: readonly [string, ...string[]],
  isNewestFirst: boolean,
): GridView['sort'] {
  const [, field = '', order] = /^(\w+)-(asc|desc)$/.exec(stored ?? '') ?? []
  return sorts.includes(field)
    ? { field, isDescending: order === 'desc' }
    : { field: sorts[0], isDescending: isNewestFirst }
}
