import { auditRefused } from '@hilum/contract/calls/audit'
import type { OutputOf } from '@hilum/contract/call'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { pageOf } from './page-of.ts'

export type Refusal = OutputOf<typeof auditRefused>['refusals'][number]

/** Refused access to what is the account's, read anew each time it is looked at. */
export function refusedAccessQuery(accountId: string, view: GridView, asker: string) {
  return queryOptions({
    queryKey: ['refused-access', accountId, view, asker],
    queryFn: ({ signal }) =>
      callApi(
        auditRefused,
        { account_id: accountId },
        {
          signal,
          list: {
            ...pageOf(view),
            'filter.asker.like': asker ? `%${asker.replace(/[%_\\]/g, (sign) => `\\${sign}`)}%` : undefined,
          },
        },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 60_000,
  })
}
