import type { OutputOf } from '@hilum/contract/call'
import { accountStuck, accountStuckDismiss, accountStuckRetry } from '@hilum/contract/calls/account'
import { routeRunsAgain } from '@hilum/contract/calls/route'
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

/** Has failed work by the clock run at once, or takes the failed pushes to a destination, or runs of a rule, off the page. */
export function useTendFact(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ code, name, destination_id, rule_id }: StuckFact) =>
      code === 'CLOCK_WORK_FAILED'
        ? callApi(accountStuckRetry, { account_id: accountId, job: name })
        : callApi(accountStuckDismiss, {
            account_id: accountId,
            ...(code === 'RULE_FAILS' ? { rule_id } : { destination_id }),
          }),
    onSettled: () => client.invalidateQueries({ queryKey: ['what-is-stuck'] }),
  })
}

/** On how many exams a rule runs again, and on how many it would not. */
export type RunsAgainOutcome = OutputOf<typeof routeRunsAgain>

/**
 * Runs a rule again on all exams on which it failed.
 * @param onEnd is given what came of it, also where the fact is off the page by then; undefined where it failed
 */
export function useRunsAgain(onEnd: (outcome: RunsAgainOutcome | undefined) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ rule_id: uuid }: StuckFact) => callApi(routeRunsAgain, { uuid }),
    onSuccess: onEnd,
    onError: () => onEnd(undefined),
    onSettled: () => client.invalidateQueries({ queryKey: ['what-is-stuck'] }),
  })
}
