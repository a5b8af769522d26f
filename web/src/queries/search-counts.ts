import { studyCount } from '@hilum/contract/calls/study'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callBundle } from '../api/call-bundle.ts'
import { type Inbox, useInboxes } from './namespaces.ts'
import { badgeCap } from './open-counts.ts'
import type { ListedSearch } from './saved-searches.ts'
import { studyKeys } from './studies.ts'
import { toFilters } from './study-view.ts'

/** The studies that each saved search finds, up to what a badge says: all in one request, and anew when studies change. */
const searchCountsQuery = (saved: readonly ListedSearch[], inboxes: readonly Inbox[], today: string) =>
  queryOptions({
    queryKey: [...studyKeys.badges, 'searches', saved.map(({ uuid, filters }) => [uuid, filters]), today],
    queryFn: async ({ signal }): Promise<Readonly<Record<string, number>>> => {
      const items = saved.map(({ filters, namespaceId }) => {
        const inbox = inboxes.find((one) => one.namespaceId === namespaceId)
        const view = { inbox, state: inbox?.states[0] ?? 'Inbox', sort: 'upload-desc', page: 1, work: 'any' } as const
        return { parameters: { cap: badgeCap }, list: toFilters({ ...view, filters, today }, inboxes) }
      })
      const results = await callBundle(studyCount, items, signal)
      return Object.fromEntries(
        results.flatMap((result, at) => {
          const one = saved[at]
          return result.isDone && one ? [[one.uuid, result.reply.count]] : []
        }),
      )
    },
    enabled: saved.length > 0,
    staleTime: 60_000,
    placeholderData: (previous) => previous,
  })

/** How many studies each saved search finds, by its uuid; what is not counted yet is not there. */
export function useSearchCounts(saved: readonly ListedSearch[], today: string): Readonly<Record<string, number>> {
  const inboxes = useInboxes()
  return useQuery(searchCountsQuery(saved, inboxes, today)).data ?? {}
}
