import type { OutputOf } from '@hilum/contract/call'
import { studyDeletePeople } from '@hilum/contract/calls/study-acts'
import { queryOptions } from '@tanstack/react-query'
import { callBundle } from '../api/call-bundle.ts'

export type LosersOfPlace = OutputOf<typeof studyDeletePeople>

/** People who lose exams that are deleted in these namespaces, by namespace; one that does not tell is left out. */
export const losersOfPlacesQuery = (namespaceIds: readonly string[]) =>
  queryOptions({
    queryKey: ['losers-of-places', namespaceIds],
    queryFn: async ({ signal }) => {
      const asked = namespaceIds.map((namespace_id) => ({ parameters: { namespace_id } }))
      const answers = await callBundle(studyDeletePeople, asked, signal)
      return new Map(
        answers.flatMap((answer, at): [string, LosersOfPlace][] =>
          answer.isDone ? [[namespaceIds[at] ?? '', answer.reply]] : [],
        ),
      )
    },
    gcTime: 0,
  })
