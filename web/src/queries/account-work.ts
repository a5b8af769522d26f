import { jobCancel, jobList, jobRetry } from '@hilum/contract/calls/job'
import type { OutputOf } from '@hilum/contract/call'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { pageOf } from './page-of.ts'

export type Work = OutputOf<typeof jobList>['work'][number]

/** Jobs of the account that are stuck, or its others that wait, run or ended undone; the state of one that runs may change each second. */
export function accountWorkQuery(accountId: string, view: GridView, isStuck: boolean) {
  return queryOptions({
    queryKey: ['account-work', accountId, view, isStuck],
    queryFn: ({ signal }) =>
      callApi(
        jobList,
        { account_id: accountId },
        { signal, list: { ...pageOf(view), 'filter.is_stuck.equals': isStuck ? 1 : 0 } },
      ),
    placeholderData: keepPreviousData,
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
