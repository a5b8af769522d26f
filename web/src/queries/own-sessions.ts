import { sessionEnd, sessionList } from '@hilum/contract/calls/session'
import { sessionDeviceForget, sessionDeviceList } from '@hilum/contract/calls/session-pin'
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

const devicesKey = ['own-devices']

/** Browsers of the person that pass without a code of the second factor. */
export const ownDevicesQuery = queryOptions({
  queryKey: devicesKey,
  queryFn: async ({ signal }) => (await callApi(sessionDeviceList, {}, { signal })).devices,
  staleTime: 0,
  gcTime: 0,
})

/** Lets a browser ask for a code again. */
export function useForgetDevice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (deviceId: string) => callApi(sessionDeviceForget, { device_id: deviceId }),
    onSettled: () => client.invalidateQueries({ queryKey: devicesKey }),
  })
}
