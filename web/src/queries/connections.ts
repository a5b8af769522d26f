import {
  accountConnectAccept,
  accountConnectAsk,
  accountConnectDefaults,
  accountConnectEnd,
  accountConnectList,
  type Connection,
} from '@hilum/contract/calls/account-connect'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'

export type { Connection }

interface Page {
  page: number
  rows: number
  sort: { field: string; isDescending: boolean }
}

const key = 'connections'

/** A page of the organisations that are connected with an account, or are to be. */
export const connectionsQuery = (accountId: string, { page, rows, sort }: Page) =>
  queryOptions({
    queryKey: [key, accountId, page, rows, sort],
    queryFn: ({ signal }) => {
      const sortBy = `${sort.field}-${sort.isDescending ? 'desc' : 'asc'}`
      const list = { 'page.rows': rows, 'page.number': page, sort_by: sortBy }
      return callApi(accountConnectList, { account_id: accountId }, { signal, list })
    },
    placeholderData: keepPreviousData,
  })

/** Asks for, accepts and ends connections of an account. */
export function useConnections(accountId: string) {
  const client = useQueryClient()
  const own = { account_id: accountId }
  const onSettled = () => void client.invalidateQueries({ queryKey: [key] })
  const ask = useMutation({
    mutationFn: ({ name, message }: { name: string; message: string }) =>
      callApi(accountConnectAsk, { ...own, account_name: name, ...(message ? { message } : {}) }),
    onSettled,
  })
  const accept = useMutation({
    mutationFn: ({ uuid }: Connection) => callApi(accountConnectAccept, { ...own, uuid }),
    onSettled,
  })
  const end = useMutation({
    mutationFn: ({ uuid, stopSent }: Connection & { stopSent: boolean }) =>
      callApi(accountConnectEnd, { ...own, uuid, ...(stopSent ? { stop_sent: 1 } : {}) }),
    onSettled,
  })
  return { ask, accept, end }
}

const rulesKey = (accountId: string) => ['exchange-rules', accountId]

/** How an account exchanges studies: its default end of access, and its share code. */
export const exchangeRulesQuery = (accountId: string) =>
  queryOptions({
    queryKey: rulesKey(accountId),
    queryFn: ({ signal }) => callApi(accountConnectDefaults, { account_id: accountId }, { signal }),
  })

/** Saves the rules that were changed; those that somebody else changed are read. */
export function useSaveExchangeRules(accountId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (rules: { expires?: number; share_code?: string; seen: Record<string, unknown> | undefined }) =>
      callApi(accountConnectDefaults, { account_id: accountId, ...rules }),
    onSuccess: (stored) => client.setQueryData(rulesKey(accountId), stored),
    onError: (failure) =>
      failureCode(failure) === 'STALE' ? client.invalidateQueries({ queryKey: rulesKey(accountId) }) : undefined,
  })
}
