import { studyApprove, studyReject } from '@hilum/contract/calls/study-approval'
import type { Study } from '@hilum/contract/entities/study'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callBundle } from '../api/call-bundle.ts'
import type { ApiFailure } from '../api/api-failure.ts'
import { patchStudies, readStudiesAgain, removeFromLists } from './patch-studies.ts'

interface Decision {
  studies: readonly Study[]
  isApproved: boolean
  /** The reason for a rejection. */
  message: string
}

/** Outcome for one study. */
export interface DecisionResult {
  study: Study
  failure: ApiFailure | undefined
}

/** Whether something of a study waits for approval: the study itself, or images of another share beside it. */
export function isWaiting({ must_approve, has_waiting_shares }: Study): boolean {
  return must_approve + has_waiting_shares > 0
}

/**
 * Approves or rejects what waits, each study by itself; one that fails leaves the others alone.
 * @param onResults is told before the lists change: a rejected study takes its panel with it
 */
export function useDecide(onResults: (results: readonly DecisionResult[], decision: Decision) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ studies, isApproved, message }: Decision): Promise<DecisionResult[]> => {
      const words = isApproved || message.trim() === '' ? {} : { message: message.trim() }
      const results = await callBundle(
        isApproved ? studyApprove : studyReject,
        studies.map(({ uuid }) => ({ parameters: { uuid, ...words } })),
      )
      return studies.map((study, at) => {
        const result = results[at]
        return { study, failure: result && !result.isDone ? result.failure : undefined }
      })
    },
    onSuccess: (results, decision) => {
      onResults(results, decision)
      const done = results.filter(({ failure }) => !failure).map(({ study }) => study)
      const isGone = ({ must_approve }: Study) => !decision.isApproved && must_approve === 1
      const stays = done.filter((study) => !isGone(study)).map(({ uuid }) => uuid)
      patchStudies(
        client,
        stays,
        decision.isApproved ? { must_approve: 0, has_waiting_shares: 0 } : { has_waiting_shares: 0 },
      )
      void removeFromLists(
        client,
        done.filter(isGone).map(({ uuid }) => uuid),
      )
      void readStudiesAgain(client, stays)
    },
  })
}
