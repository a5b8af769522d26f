import type { OutputOf } from '@hilum/contract/call'
import { studyMerge, studyMergePreview } from '@hilum/contract/calls/study-merge'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { failureCode } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { separationsQuery } from './study-split.ts'

/** Two exams by their uuids: the one that stays, and the one whose images go to it. */
export type MergedPair = { stays: string; moves: string }
/** Series and single images that move; without a choice all of the exam does. */
export type MergeChoice = { series_uids: string[]; image_uids: string[] }
export type MergePreview = OutputOf<typeof studyMergePreview>

/** Images that would move. Read once, as the preview of a separation. */
export const mergePreviewQuery = ({ stays, moves }: MergedPair, choice?: MergeChoice) =>
  queryOptions({
    queryKey: ['merge-preview', stays, moves, choice],
    queryFn: ({ signal }) => callApi(studyMergePreview, { uuid: stays, secondary_uuid: moves, ...choice }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: moves !== '' && stays !== '' && !isNothing(choice),
    // of the same exams alone: those of others say something else
    placeholderData: keepPreviousData,
  })

/** A choice that names nothing. */
export const isNothing = (choice: MergeChoice | undefined): boolean =>
  choice !== undefined && choice.series_uids.length + choice.image_uids.length === 0

/** Has images of one exam moved to another, all or those that were chosen; the lists of both tell when that is done. */
export function useMerge({ stays, moves }: MergedPair) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sent: { digest: string; reason: string } & Partial<MergeChoice>) =>
      callApi(studyMerge, { uuid: stays, secondary_uuid: moves, ...sent }),
    onSuccess: () =>
      Promise.all(
        [stays, moves].map((uuid) => client.invalidateQueries({ queryKey: separationsQuery(uuid).queryKey })),
      ),
    onError: (failure) => {
      if (failureCode(failure) === 'STALE') void client.invalidateQueries({ queryKey: ['merge-preview', stays, moves] })
    },
  })
}
