import { studySet } from '@hilum/contract/calls/study'
import { type RestoredAccess, studyRevive, studyStar } from '@hilum/contract/calls/study-acts'
import type { Study } from '@hilum/contract/entities/study'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import { sumAccess } from '../labels/restored-text.ts'
import { patchStudies, readStudiesAgain, removeFromLists } from './patch-studies.ts'

/** Outcome of an act on several studies, as numbers of them. */
export interface ActOutcome {
  done: number
  failed: number
}

/** Puts the person's star on a study or takes it off, in the order of the presses; shown at once, and taken back when it fails. */
export function useStarStudy() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'star' },
    mutationFn: ({ uuid, star }: Pick<Study, 'uuid' | 'star'>) =>
      callApi(studyStar, { uuid, star: star === 1 ? 1 : 0 }),
    onMutate: ({ uuid, star }) => patchStudies(client, [uuid], { star }),
    onError: (_failure, { uuid, star }) => patchStudies(client, [uuid], { star: 1 - star }),
    // Not waited for: without a network the reading is tried for seconds, and why it failed is wanted now.
    onSettled: (_reply, _failure, { uuid }) => void readStudiesAgain(client, [uuid]),
  })
}

/** Says how far the work on studies is; whoever begins or ends it has taken it. */
export function useSetWorkStatus(onDone?: (outcome: ActOutcome) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ uuids, status }: { uuids: readonly string[]; status: Study['work_status'] }) => {
      const items = uuids.map((uuid) => ({ parameters: { study_id: uuid, work_status: status } }))
      return tell(await callBundle(studySet, items))
    },
    onSuccess: (outcome) => onDone?.(outcome),
    onSettled: (_reply, _failure, { uuids }) => void readStudiesAgain(client, uuids),
  })
}

/** Brings deleted studies back to where they were. */
export function useRestoreStudies(onDone?: (outcome: ActOutcome & { access: RestoredAccess }) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (uuids: readonly string[]) => {
      const results = await callBundle(
        studyRevive,
        uuids.map((uuid) => ({ parameters: { uuid } })),
      )
      void removeFromLists(
        client,
        uuids.filter((_uuid, at) => results[at]?.isDone),
      )
      return { ...tell(results), access: sumAccess(results.map((one) => (one.isDone ? one.reply.access : undefined))) }
    },
    onSuccess: (outcome) => onDone?.(outcome),
  })
}

function tell(results: readonly { isDone: boolean }[]): ActOutcome {
  const done = results.filter(({ isDone }) => isDone).length
  return { done, failed: results.length - done }
}
