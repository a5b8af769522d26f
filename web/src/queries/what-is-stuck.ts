import type { OutputOf } from '@hilum/contract/call'
import { accountStuck, accountStuckDismiss, accountStuckRetry } from '@hilum/contract/calls/account'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

export type StuckFact = OutputOf<typeof accountStuck>['stuck'][number]

/** Facts that need somebody, of the installation and the account, gravest first; asked anew while the page is open. */
export function whatIsStuckQuery(accountId: string) {
  return queryOptions({
    queryKey: ['what-is-stuck', accountId],
    queryFn: async ({ signal }) => (await callApi(accountStuck, { account_id: accountId }, { signal })).stuck,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 10_000,
  })
}

/** Has failed work by the clock run at once, or takes the failed pushes to a destination off the page. */
export function useTendFact(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, name, destination_id }: StuckFact) =>
      code === 'CLOCK_WORK_FAILED'
        ? callApi(accountStuckRetry, { account_id: accountId, job: name })
        : callApi(accountStuckDismiss, { account_id: accountId, destination_id }),
    onSettled: () => client.invalidateQueries({ queryKey: ['what-is-stuck'] }),
  })
}
