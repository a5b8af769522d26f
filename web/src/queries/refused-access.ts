import { auditRefused } from '@hilum/contract/calls/audit'
import type { OutputOf } from '@hilum/contract/call'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

export type Refusal = OutputOf<typeof auditRefused>['refusals'][number]

const rows = 50

/** Refused access to what is the account's, the latest first, read anew each time it is looked at. */
export function refusedAccessQuery(accountId: string, asker: string) {
  return infiniteQueryOptions({
    queryKey: ['refused-access', accountId, asker],
    queryFn: ({ signal, pageParam }) =>
      callApi(
        auditRefused,
        { account_id: accountId },
        {
          signal,
          list: {
            'page.rows': rows,
            'page.number': pageParam,
            'filter.asker.like': asker ? `%${asker.replace(/[%_\\]/g, (sign) => `\\${sign}`)}%` : undefined,
          },
        },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ page }) => (page.more === 1 ? page.number + 1 : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 60_000,
  })
}
