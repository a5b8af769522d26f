import { sessionKeyAdd, sessionKeyEnd, sessionKeyList } from '@hilum/contract/calls/session'
import { type KeyScope, permissionsOfScopes } from '@hilum/contract/key-scopes'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { callApi } from '../api/call-api.ts'

const key = ['own-keys']

/** A key of the person, without the key itself. */
export type OwnKey = z.infer<typeof sessionKeyList.output>['keys'][number]

/** The person's keys for programs, read anew each time they are looked at. */
export const ownKeysQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal }) => (await callApi(sessionKeyList, {}, { signal })).keys,
  staleTime: 0,
  gcTime: 0,
})

/** Name, scopes, place and end of a key to be made. */
export interface KeyOptions {
  name: string
  scopes: readonly KeyScope[]
  days: number
  /** The one place that it is for. */
  namespaceId?: string
}

/** Makes a key. The answer alone has the key itself: nothing keeps it, and it goes with the screen. */
export function useAddKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, scopes, days, namespaceId }: KeyOptions) =>
      callApi(sessionKeyAdd, {
        name,
        permissions: permissionsOfScopes(scopes),
        days,
        ...(namespaceId ? { namespace_id: namespaceId } : {}),
      }),
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}

/** Ends a key by its uuid. */
export function useEndKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (uuid: string) => callApi(sessionKeyEnd, { uuid }),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}
