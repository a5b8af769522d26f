import { studyRetract } from '@hilum/contract/calls/study-retract'
import { factsOf, mayDo } from '@hilum/contract/acts'
import type { Study } from '@hilum/contract/entities/study'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { heldBy } from '../session/use-may.ts'
import { removeFromLists } from './patch-studies.ts'

/** Whether the person may take a study back everywhere: only where it did not come by a share. */
export function mayRetract({ permissions, source }: Study): boolean {
  return mayDo(studyRetract.on.may, { ...heldBy(permissions), facts: factsOf({ original: source !== 'share' }) })
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
