import { filterShare, filterShareList, filterShareStop, shareKinds } from '@hilum/contract/calls/filter'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

/** One place, person or role that a saved search is shared with; the field names it in the calls. */
export interface SearchShare {
  idField: `${(typeof shareKinds)[number]}_id`
  id: string
}

const keyOf = (searchUuid: string) => ['search-shares', searchUuid] as const

/** With whom a search is shared, for those who may change it. */
export const searchSharesQuery = (searchUuid: string) =>
  queryOptions({
    queryKey: keyOf(searchUuid),
    queryFn: async ({ signal }): Promise<SearchShare[]> => {
      const lists = await callApi(filterShareList, { uuid: searchUuid }, { signal })
      return shareKinds.flatMap((kind) => {
        const idField = `${kind}_id` as const
        return lists[idField].map((id) => ({ idField, id }))
      })
    },
    staleTime: 0,
  })

/** Shares a search, and takes it back. */
export function useSearchShareActs(searchUuid: string) {
  const client = useQueryClient()
  // Also after a failure: somebody else may have done it before.
  const onSettled = () => client.invalidateQueries({ queryKey: keyOf(searchUuid) })
  const share = useMutation({
    mutationFn: ({ idField, id }: SearchShare) => callApi(filterShare, { uuid: searchUuid, [idField]: id }),
    onSettled,
  })
  const stop = useMutation({
    mutationFn: ({ idField, id }: SearchShare) => callApi(filterShareStop, { uuid: searchUuid, [idField]: id }),
    onSettled,
  })
  return { share, stop }
}
