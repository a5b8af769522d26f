import { jobCancel, jobList, jobRetry } from '@hilum/contract/calls/job'
import type { OutputOf } from '@hilum/contract/call'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

export type Work = OutputOf<typeof jobList>['work'][number]

/** Jobs of the account that wait, run or ended undone, the latest first; the state of one that runs may change each second. */
export function accountWorkQuery(accountId: string) {
  return queryOptions({
    queryKey: ['account-work', accountId],
    queryFn: async ({ signal }) => (await callApi(jobList, { account_id: accountId }, { signal })).work,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 5_000,
  })
}

export function useTendWork() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ act, uuid }: { act: 'cancel' | 'retry'; uuid: string }) =>
      callApi(act === 'cancel' ? jobCancel : jobRetry, { uuid }),
    onSettled: () => client.invalidateQueries({ queryKey: ['account-work'] }),
  })
}
