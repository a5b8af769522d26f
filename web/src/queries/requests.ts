import { type Link, linkAdd, linkDelete, linkGet, linkList, linkMail, linkSet } from '@hilum/contract/calls/link'
import { studyRequests } from '@hilum/contract/calls/study-requests'
import type { Study } from '@hilum/contract/entities/study'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, type Parameters } from '../api/call-api.ts'

/** LIST-13 */
export const requestSorts = ['created-desc', 'created-asc', 'email-asc', 'email-desc'] as const
export type RequestSort = (typeof requestSorts)[number]

export function readRequestSort(text: string | undefined): RequestSort {
  return requestSorts.find((one) => one === text) ?? 'created-desc'
}

/** Requests by which exams may still come, or those that are over. */
export const requestKinds = ['open', 'ended'] as const
export type RequestKind = (typeof requestKinds)[number]

/** Requests of a page (design §6). */
export const requestRows = 50
/** Arrivals show while the list is looked at. */
const refreshMs = 10_000
const requestsKey = ['requests']

/** API-43: a page of the requests of a namespace. */
export const requestsQuery = (namespaceId: string, kind: RequestKind, sort: RequestSort, page: number) =>
  queryOptions({
    queryKey: [...requestsKey, namespaceId, kind, sort, page],
    queryFn: ({ signal }) =>
      callApi(
        linkList,
        { namespace_id: namespaceId, ended: kind === 'ended' ? 1 : 0 },
        { signal, list: { sort_by: sort, 'page.rows': requestRows, 'page.number': page } },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })

/** One request, which may stand on another page of the list. */
export const requestQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...requestsKey, 'one', uuid],
    queryFn: ({ signal }) => callApi(linkGet, { uuid }, { signal }),
    refetchInterval: refreshMs,
  })

/** Requests that concern one study. */
export const studyRequestsQuery = ({ uuid }: Pick<Study, 'uuid'>) =>
  queryOptions({
    queryKey: [...requestsKey, 'study', uuid],
    queryFn: ({ signal }) => callApi(studyRequests, { uuid }, { signal }),
    refetchInterval: refreshMs,
  })

export type RequestFields = Omit<Parameters<typeof linkAdd>, 'study_id' | 'action'>

/** API-42: asks an outside party for a study. */
export function useAskForStudy() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (options: RequestFields) => callApi(linkAdd, { ...options, action: 'STUDY_UPLOAD' }),
    onSettled: () => client.invalidateQueries({ queryKey: requestsKey }),
  })
}

export type RequestAct = { request: Link } & (
  | { kind: 'unlock' | 'oneMore' | 'cancel' | 'restore' }
  | { kind: 'mail'; email: string }
  | { kind: 'extend'; minutes: number }
  | { kind: 'enlarge'; megabytes: number }
)

/** Mails, extends, unlocks, cancels and brings back requests; the lists are read again after each. */
export function useRequestAct() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (act: RequestAct) => {
      const { uuid } = act.request
      switch (act.kind) {
        case 'mail':
          return callApi(linkMail, { uuid, email: act.email })
        case 'extend':
          return callApi(linkSet, { uuid, minutes_left: act.minutes })
        case 'enlarge':
          return callApi(linkSet, { uuid, max_megabytes: act.megabytes })
        case 'unlock':
          return callApi(linkSet, { uuid, unlock: 1 })
        case 'oneMore':
          return callApi(linkSet, { uuid, max_hits: act.request.hits + 1 })
        case 'cancel':
          return callApi(linkDelete, { uuid })
        case 'restore':
          return callApi(linkSet, { uuid, restore: 1 })
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: requestsKey }),
  })
}
