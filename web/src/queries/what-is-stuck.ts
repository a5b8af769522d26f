import type { OutputOf } from '@hilum/contract/call'
import { accountStuck, accountStuckDismiss, accountStuckRetry } from '@hilum/contract/calls/account'
import { routeRunsAgain } from '@hilum/contract/calls/route'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
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
    onSettled: () => askAnew(client),
  })
}

/** Has the page asked anew, and the notices of every page that tell of the same. */
function askAnew(client: QueryClient) {
  return Promise.all(
    ['what-is-stuck', 'installation-notices'].map((key) => client.invalidateQueries({ queryKey: [key] })),
  )
}

/** On how many exams a rule runs again, on how many it would not, and how many were not looked at yet. */
export type RunsAgainOutcome = OutputOf<typeof routeRunsAgain>

/**
 * Runs a rule again on the exams on which it failed, or on those behind the last run that was looked at (`after`).
 * @param onEnd is given what came of it, also where the fact is off the page by then; undefined where it failed
 */
export function useRunsAgain(onEnd: (outcome: RunsAgainOutcome | undefined) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ fact: { rule_id: uuid }, after }: { fact: StuckFact; after: string }) =>
      callApi(routeRunsAgain, { uuid, ...(after ? { after_run_id: after } : {}) }),
    onSuccess: onEnd,
    onError: () => onEnd(undefined),
    onSettled: () => askAnew(client),
  })
}
