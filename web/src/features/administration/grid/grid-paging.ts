import type { GridView } from '../../../ui/grid-view.ts'

/** As much of a query's result as a grid shows. */
interface Answer {
  data: { page: { more: number } } | undefined
  error: Error | null
  isFetching: boolean
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

/**
 * How a grid shows a page that is asked of the server: the page before stays, dimmed, until the next one is there, and
 * until then nobody goes on from it.
 */
export function gridPaging(answer: Answer, view: GridView, onView: (view: GridView) => void) {
  const { data, error, isFetching, isPlaceholderData, refetch } = answer
  return {
    view,
    onView,
    hasMore: data?.page.more === 1 && !isPlaceholderData,
    isBusy: isFetching && isPlaceholderData,
    failure: error,
    onRetry: () => void refetch(),
  }
}
