import { studyDeidentifyAdd, studyDeidentifyList, studyDeidentifyPreview } from '@hilum/contract/calls/study-deidentify'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, type Parameters } from '../api/call-api.ts'
import { studyKeys } from './studies.ts'

const makingMs = 1_000

/** The copies without names of a study, the newest first; read again while one is made. */
export const namelessQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'nameless'],
    queryFn: async ({ signal }) => (await callApi(studyDeidentifyList, { uuid }, { signal })).copies,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'making') ? makingMs : false),
  })

type Choices = Omit<Parameters<typeof studyDeidentifyAdd>, 'uuid'>

/** Looks at what leaves, and makes a copy of it. */
export function useNameless(uuid: string) {
  const client = useQueryClient()
  const look = useMutation({
    mutationFn: (choices: Pick<Choices, 'recipient' | 'dates'>) =>
      callApi(studyDeidentifyPreview, { uuid, ...choices }),
  })
  const make = useMutation({
    mutationFn: (choices: Choices) => callApi(studyDeidentifyAdd, { uuid, ...choices }),
    onSettled: () => client.invalidateQueries({ queryKey: namelessQuery(uuid).queryKey }),
  })
  return { look, make }
}
