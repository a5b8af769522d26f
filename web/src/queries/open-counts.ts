import { studyCount } from '@hilum/contract/calls/study'
import type { StudyState } from '@hilum/contract/inbox-config'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callBundle } from '../api/call-bundle.ts'
import { t } from '../labels/label.ts'
import { type Inbox, useInboxes } from './namespaces.ts'
import { studyKeys } from './studies.ts'
import { openWorkFilters } from './study-view.ts'

/** A badge says "99+" and the server stops counting there. */
export const badgeCap = 99

/** States whose studies are no work to do. */
const uncounted: readonly StudyState[] = ['Deleted', 'Pending Requests', 'Completed', 'Rejected']

type Counts = Readonly<Record<string, number>>

/** All badges of the navigation in one request, whoever shows them. */
const openCountsQuery = (inboxes: readonly Inbox[]) =>
  queryOptions({
    queryKey: [...studyKeys.badges, inboxes.map(({ id, states }) => [id, states])],
    queryFn: async ({ signal }): Promise<Counts> => {
      const places = inboxes.flatMap((inbox) =>
        inbox.states.filter((state) => !uncounted.includes(state)).map((state) => ({ inbox, state })),
      )
      const items = places.map(({ inbox, state }) => ({
        parameters: { cap: badgeCap },
        list: openWorkFilters(inbox, state),
      }))
      const results = await callBundle(studyCount, items, signal)
      return Object.fromEntries(
        results.flatMap((result, at) => {
          const place = places[at]
          return result.isDone && place ? [[keyOf(place.inbox.id, place.state), result.reply.count]] : []
        }),
      )
    },
    staleTime: 60_000,
    placeholderData: (previous) => previous,
  })

/** How many studies of a place and state are not done; undefined until counted, and where nothing is counted. */
export function useOpenCount(inboxId: string, state: StudyState | undefined): number | undefined {
  const inboxes = useInboxes()
  const { data } = useQuery(openCountsQuery(inboxes))
  return state && data?.[keyOf(inboxId, state)]
}

/** A count as a badge writes it. */
export function badgeText(count: number): string {
  return count > badgeCap ? t('nav.countAtLeast', { count: badgeCap }) : String(count)
}

function keyOf(inboxId: string, state: StudyState): string {
  return `${inboxId} ${state}`
}
