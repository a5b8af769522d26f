import { useEffect, useRef } from 'react'

interface ShownPage {
  page: number
  /** Rows of the page as the server gave them; undefined while it is asked. */
  count: number | undefined
  hasMore: boolean
  onPage: (page: number) => void
}

/**
 * Leads from a page behind the end of a list to the last page that has rows: acts and other people make lists shorter, and
 * addresses stay. The server tells no total there, so that pages are tried, in growing steps back and then in halves.
 * @returns whether the page is behind the end
 */
export function useLastPage({ page, count, hasMore, onPage }: ShownPage): boolean {
  const search = useRef<Search>(undefined)
  const isBehind = count === 0 && page > 1
  useEffect(() => {
    if (count === undefined || (!isBehind && !search.current)) return
    search.current = stepOf(search.current, { page, isBehind, hasMore })
    const to = search.current?.to
    if (to !== undefined && to !== page) onPage(to)
  }, [page, count, hasMore, isBehind, onPage])
  return isBehind
}

interface Search {
  /** A page that has rows, or 0. */
  within: number
  /** A page that has none. */
  behind: number
  step: number
  to: number
}

/** The next page to try; undefined at the end of the search. */
function stepOf(
  before: Search | undefined,
  { page, isBehind, hasMore }: { page: number; isBehind: boolean; hasMore: boolean },
): Search | undefined {
  // this page was seen, and the next one is on its way
  if (before && before.to !== page && page === (isBehind ? before.behind : before.within)) return before
  // somebody went to another page meanwhile
  const search = before?.to === page ? before : undefined
  if (!isBehind) {
    if (!search || !hasMore || search.behind - page <= 1) return undefined
    return { ...search, within: page, to: Math.floor((page + search.behind) / 2) }
  }
  const step = search ? search.step * 2 : 1
  const within = search?.within ?? 0
  const to = within > 0 ? Math.floor((within + page) / 2) : Math.max(1, page - step)
  return { within, behind: page, step, to }
}
