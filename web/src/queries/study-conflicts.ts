import { type RestoredAccess, studyRevive } from '@hilum/contract/calls/study-acts'
import { studyConflictSettle, studyConflicts } from '@hilum/contract/calls/study-conflicts'
import type { Study } from '@hilum/contract/entities/study'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { sumAccess } from '../labels/restored-text.ts'
import { readStudiesAgain } from './patch-studies.ts'
import { studyKeys } from './studies.ts'

/** Images of a study that arrived more than once with different content. */
export const conflictsQuery = ({ uuid, updated }: Pick<Study, 'uuid' | 'updated'>) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'conflicts', updated],
    queryFn: ({ signal }) => callApi(studyConflicts, { uuid }, { signal }),
  })

/** In what the versions of one image differ. */
export const comparisonQuery = ({ uuid, updated }: Pick<Study, 'uuid' | 'updated'>, sopUid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'conflicts', updated, sopUid],
    queryFn: ({ signal }) => callApi(studyConflicts, { uuid, sop_uid: sopUid }, { signal }),
  })

/** Shows one version of an image everywhere; the others are kept. */
export function useSettleConflict({ uuid }: Pick<Study, 'uuid'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (chosen: { sop_uid: string; series_uid: string; version: string }) =>
      callApi(studyConflictSettle, { uuid, ...chosen }),
    onSettled: () => readStudiesAgain(client, [uuid]),
  })
}

/** Brings the images of a deleted record back beside those of the study that came since. */
export function useRestoreBeside(
  { uuid }: Pick<Study, 'uuid'>,
  onDone: (outcome: { done: number; access: RestoredAccess }) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (deleted: string) => callApi(studyRevive, { uuid: deleted }),
    onSuccess: ({ access }) => onDone({ done: 1, access: sumAccess([access]) }),
    onSettled: () => readStudiesAgain(client, [uuid]),
  })
}
