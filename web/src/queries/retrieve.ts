import type { OutputOf } from '@hilum/contract/call'
import { orderTake } from '@hilum/contract/calls/order'
import { destinationRetrieve, destinationSearch, destinationSearchGet } from '@hilum/contract/calls/retrieve'
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'

type SearchAnswer = OutputOf<typeof destinationSearchGet>
export type FoundExam = SearchAnswer['results'][number]
export type WorklistItem = SearchAnswer['orders'][number]

/** RETRIEVE-05 */
const pollMs = 1_500
const key = 'destination-search'

/** A search that was asked for at one destination. */
export interface AskedSearch {
  destinationId: string
  name: string
  /** Undefined where it could not even be asked for. */
  uuid: string | undefined
  /** Why it could not be asked for. */
  failure?: unknown
}

interface SearchFields {
  patient_name?: string
  patientid?: string
  accession_number?: string
  study_description?: string
  modality?: string
  start_datetime?: string
  end_datetime?: string
  /** 1 asks for the worklist and not for studies. */
  worklist?: 1
}

/** Asks each destination; one that refuses leaves the others to answer. */
export function useAskSearches(namespaceId: string) {
  return useMutation({
    mutationFn: ({ places, fields }: { places: readonly { uuid: string; name: string }[]; fields: SearchFields }) =>
      Promise.all(
        places.map(async ({ uuid, name }): Promise<AskedSearch> => {
          try {
            const asked = await callApi(destinationSearch, { uuid, copy_to: namespaceId, ...fields })
            return { destinationId: uuid, name, uuid: asked.uuid }
          } catch (failure) {
            return { destinationId: uuid, name, uuid: undefined, failure }
          }
        }),
      ),
  })
}

/** The answers so far; asked for again until all is there, and while studies are being retrieved. */
export function useSearchAnswers(searches: readonly AskedSearch[]) {
  return useQueries({
    queries: searches.map(({ uuid }) => ({
      queryKey: [key, uuid],
      queryFn: ({ signal }: { signal: AbortSignal }) => callApi(destinationSearchGet, { uuid: uuid ?? '' }, { signal }),
      enabled: uuid !== undefined,
      gcTime: 0,
      refetchInterval: ({ state: { data } }: { state: { data: SearchAnswer | undefined } }) =>
        isSettled(data) ? false : pollMs,
    })),
  })
}

function isSettled(answer: SearchAnswer | undefined): boolean {
  if (!answer || answer.state === 'waiting') return false
  return !answer.results.some(({ retrieval }) => retrieval?.state === 'waiting' || retrieval?.state === 'running')
}

/** Asks for studies that were found. */
export function useRetrieve() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (wanted: readonly { searchId: string; studyUid: string }[]) => {
      const asked = await Promise.allSettled(
        wanted.map(({ searchId, studyUid }) =>
          callApi(destinationRetrieve, { destination_search_id: searchId, study_uid: studyUid }),
        ),
      )
      if (asked.some((one) => one.status === 'rejected')) throw new Error('Not all studies were asked for')
    },
    onSettled: () => client.invalidateQueries({ queryKey: [key] }),
  })
}

/** Makes an order of an item that a search of a worklist found. */
export function useTakeOrder() {
  return useMutation({
    mutationFn: ({ searchId, item }: { searchId: string; item: number }) =>
      callApi(orderTake, { destination_search_id: searchId, item }),
  })
}
