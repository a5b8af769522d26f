import {
  accountUserHandOver,
  accountUserHoldings,
  accountUserLeavers,
  type HeldThing,
  type HoldingKind,
} from '@hilum/contract/calls/account-leaver'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { wholeList } from './whole-list.ts'

export type { HeldThing, HoldingKind }

// below that of people: whatever changes them is followed by a look at their things
const key = ['account-users', 'holdings'] as const

/** Things that somebody holds in the organisation. */
export function holdingsQuery(accountId: string, userId: string) {
  return queryOptions({
    queryKey: [...key, accountId, userId],
    queryFn: ({ signal }) => callApi(accountUserHoldings, { uuid: accountId, user_id: userId }, { signal }),
    staleTime: 0,
  })
}

/** People who cannot work in the organisation any more and hold something there. */
export function leaversQuery(accountId: string) {
  return queryOptions({
    queryKey: [...key, accountId],
    queryFn: ({ signal }) =>
      wholeList(async (list) => {
        const { leavers: rows, page } = await callApi(accountUserLeavers, { uuid: accountId }, { signal, list })
        return { rows, page }
      }),
    staleTime: 0,
  })
}

/** Hands things of one kind over to somebody, or ends them, until the server finds no more that it may. */
export function useHandOver(accountId: string, userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kind, to }: { kind: HoldingKind; to: string | undefined }) => {
      let count = 0
      for (;;) {
        const sent = { uuid: accountId, user_id: userId, kind, ...(to ? { to_user_id: to } : { end: 1 as const }) }
        const done = await callApi(accountUserHandOver, sent)
        count += done.count
        if (done.count === 0 || done.left === 0) return { kind, count, left: done.left }
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}
