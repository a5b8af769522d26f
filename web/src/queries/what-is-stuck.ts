import type { OutputOf } from '@hilum/contract/call'
import { accountStuck } from '@hilum/contract/calls/account'
import { queryOptions } from '@tanstack/react-query'
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
