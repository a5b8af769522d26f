import {
  type Separation,
  studySplit,
  studySplitList,
  studySplitPreview,
  studySplitUndo,
} from '@hilum/contract/calls/study-split'
import type { OutputOf } from '@hilum/contract/call'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'
import { callApi, type Parameters } from '../api/call-api.ts'
import { readStudiesAgain, removeFromLists } from './patch-studies.ts'
import { studyKeys } from './studies.ts'

const makingMs = 1_000

/** The separations that a study was part of, the newest first; read again while one is made. */
export const separationsQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'separations'],
    queryFn: async ({ signal }) => (await callApi(studySplitList, { uuid }, { signal })).separations,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'making') ? makingMs : false),
  })

/** Images of one patient: of all series, or of one. */
export type MovedPart = { patient: string; series_uid?: string }
/** Images that would move: parts, and single images besides. */
export type SplitChoice = { move: MovedPart[]; image_uids: string[] }
export type SplitPreview = OutputOf<typeof studySplitPreview>

/** Images that would move. Read once: it must not change under the eyes of whoever confirms it, and the server knows when it is stale. */
export const splitPreviewQuery = (uuid: string, { move, image_uids }: SplitChoice) =>
  queryOptions({
    queryKey: ['split-preview', uuid, move, image_uids],
    queryFn: ({ signal }) => callApi(studySplitPreview, { uuid, ...sentChoice({ move, image_uids }) }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: move.length + image_uids.length > 0,
    placeholderData: keepPreviousData,
  })

/** A choice as it is sent: without a list that names nothing. */
export const sentChoice = ({ move, image_uids }: SplitChoice): Partial<SplitChoice> => ({
  ...(move.length > 0 ? { move } : {}),
  ...(image_uids.length > 0 ? { image_uids } : {}),
})

/** Has images moved to a study of their own; its list tells when that is done. */
export function useSplit(uuid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (choice: Omit<Parameters<typeof studySplit>, 'uuid'>) => callApi(studySplit, { uuid, ...choice }),
    onSuccess: () => client.invalidateQueries({ queryKey: separationsQuery(uuid).queryKey }),
    onError: (failure) => {
      if (failureCode(failure) === 'STALE') void client.invalidateQueries({ queryKey: ['split-preview', uuid] })
    },
  })
}

/**
 * Puts the images of a separation or a merge back; the record that a separation made ends.
 * @param onUndone is told where the images are again, and leaves the record that ended before it is asked for again
 */
export function useUndoSplit(uuid: string, onUndone: (uuid: string) => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (one: Separation) => callApi(studySplitUndo, { uuid, separation_id: one.uuid }),
    onSuccess: async (back, one) => {
      await onUndone(back.uuid)
      if (one.kind === 'split') await removeFromLists(client, [one.is_source === 1 ? one.other_uuid : uuid])
      await readStudiesAgain(client, one.kind === 'split' ? [back.uuid] : [uuid, one.other_uuid])
    },
    onError: () => client.invalidateQueries({ queryKey: separationsQuery(uuid).queryKey }),
  })
}
