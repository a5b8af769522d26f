import { studyRetract } from '@hilum/contract/calls/study-retract'
import { factsOf } from '@hilum/contract/acts'
import type { Study } from '@hilum/contract/entities/study'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { type Flags, mayCall } from '../session/use-may.ts'
import { removeFromLists } from './patch-studies.ts'

/**
 * Whether the person may take a study back everywhere: only where it did not come by a share, and of all studies of the
 * account whoever administers the account.
 */
export function mayRetract({ permissions, source }: Study, inAccount: Flags): boolean {
  return mayCall(studyRetract, permissions, { inAccount, facts: factsOf({ original: source !== 'share' }) })
}

/**
 * Takes a study back everywhere it went.
 * @param onPlaces is told in how many other places it was, before the lists change: its panel goes with the study
 */
export function useRetract(uuid: string, onPlaces: (places: number) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (reason: string) => callApi(studyRetract, { uuid, reason: reason.trim() }),
    onSuccess: ({ places }) => {
      onPlaces(places)
      void removeFromLists(client, [uuid])
    },
  })
}
