import { sessionEnd, sessionList } from '@hilum/contract/calls/session'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

const key = ['own-sessions']

/** Where the person is signed in, read anew each time it is looked at. */
export const ownSessionsQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal }) => (await callApi(sessionList, {}, { signal })).sessions,
  staleTime: 0,
  gcTime: 0,
  refetchInterval: 60_000,
})

/** Ends one session by its id, or all but the present one. */
export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: { session_id: string } | { others: 1 }) => callApi(sessionEnd, which),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}
