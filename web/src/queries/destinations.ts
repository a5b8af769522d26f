import {
  type Destination,
  destinationAdd,
  destinationDelete,
  destinationList,
  destinationSet,
  destinationTest,
} from '@hilum/contract/calls/destination'
import { studyPush } from '@hilum/contract/calls/study-push'
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import type { GridView } from '../ui/grid-view.ts'
import { within } from './account-groups.ts'
import { changedFields } from './changed-fields.ts'
import type { Inbox } from './namespaces.ts'
import { pageOf } from './page-of.ts'
import { studyKeys } from './studies.ts'
import { wholeList } from './whole-list.ts'

export type { Destination }
/** The fields of the form, as they are sent. */
export interface DestinationValues {
  name: string
  aetitle: string
  address: string
  port: number
  uses_tls: 0 | 1
  tls_certificate: string
  can_search: 0 | 1
  can_query_retrieve: 0 | 1
  retrieve_method: Destination['retrieve_method']
  can_push: 0 | 1
  push_unchecked: 0 | 1
  push_foreign: 0 | 1
  can_commit: 0 | 1
  can_search_mwl: 0 | 1
  max_associations: number
  group_ids: string[]
}

interface DestinationChange {
  /** Undefined to add one. */
  uuid: string | undefined
  values: DestinationValues
  /** As the form showed them first: of a destination that is there, what differs is sent. */
  before: DestinationValues
  /** The destination as it was read. */
  seen: Record<string, unknown> | undefined
}

const key = 'destinations'

/** All DICOM nodes that an account searches, retrieves from and pushes to. */
export const destinationsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [key, accountId],
    queryFn: ({ signal }) =>
      wholeList<Destination>(async (list) => {
        const { destinations, page } = await callApi(destinationList, { account_id: accountId }, { signal, list })
        return { rows: destinations, page }
      }),
    staleTime: 30_000,
  })

export type DestinationFilters = { name: string }
export const noDestinationFilters: DestinationFilters = { name: '' }

/** A page of the destinations of an account. */
export function destinationsPageQuery(accountId: string, view: GridView, { name }: DestinationFilters) {
  return queryOptions({
    queryKey: [key, 'page', accountId, view, name],
    queryFn: ({ signal }) =>
      callApi(
        destinationList,
        { account_id: accountId },
        { signal, list: { ...pageOf(view), 'filter.name.like': within(name) } },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}

/** Whether people of a group may use a destination. */
export function isOpenTo({ group_ids }: Destination, groupId: string | undefined): boolean {
  return group_ids === null || (groupId !== undefined && group_ids.includes(groupId))
}

/** Destinations that a study of a place may be sent to: of a gatekeeper group that names some, those alone. */
export function pushableFrom(
  all: readonly Destination[],
  inbox: Pick<Inbox, 'id' | 'gate'> | undefined,
): Destination[] {
  const named = inbox?.gate?.group_designation === 'GATEKEEPER' ? inbox.gate.pushable_destinations : []
  const isNamed = ({ uuid }: Destination) => named.length === 0 || named.some((one) => one.toLowerCase() === uuid)
  return all.filter((one) => one.can_push === 1 && isOpenTo(one, inbox?.id) && isNamed(one))
}

/** Asks the server again for the destinations of an account. */
export const readDestinationsAgain = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [key] })

/** Adds, changes, deletes and tests destinations of an account. */
export function useDestinations(accountId: string) {
  const client = useQueryClient()
  const onSettled = () => void client.invalidateQueries({ queryKey: [key] })
  const save = useMutation({
    mutationFn: async ({ uuid, values, before, seen }: DestinationChange) => {
      if (uuid) await callApi(destinationSet, { uuid, ...changedFields(before, values), seen })
      else await callApi(destinationAdd, { account_id: accountId, ...values })
    },
    onSettled,
  })
  const remove = useMutation({ mutationFn: ({ uuid }: Destination) => callApi(destinationDelete, { uuid }), onSettled })
  const test = useMutation({
    mutationFn: ({ uuid, sendsImage = false }: { uuid: string; sendsImage?: boolean }) =>
      callApi(destinationTest, { uuid, ...(sendsImage ? { send_image: 1 } : {}) }),
    onSettled,
  })
  return { save, remove, test }
}

interface PushAsked {
  destinationId: string
  isLate?: boolean
  /** Of a push that wants one, with the question that the reason answers. */
  reason?: { mrnReason: string; question: string }
}

/** Sends a study to a destination; with `isLate` only the images that came since the last push there. */
export function usePush(studyId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ destinationId, isLate = false, reason }: PushAsked) =>
      callApi(studyPush, {
        uuid: studyId,
        destination_id: destinationId,
        ...(isLate ? { late_images: 1 } : {}),
        ...(reason ? { mrn_reason: reason.mrnReason, question: reason.question } : {}),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: studyKeys.one(studyId) }),
  })
}
