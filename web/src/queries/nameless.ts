import {
  studyDeidentifyAdd,
  studyDeidentifyKey,
  studyDeidentifyList,
  studyDeidentifyPreview,
} from '@hilum/contract/calls/study-deidentify'
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

/** Reads which UID stands for each image of a study in the copies for a recipient. */
export const useKeyOfImages = (uuid: string) =>
  useMutation({
    mutationFn: async (recipient: string) => (await callApi(studyDeidentifyKey, { uuid, recipient })).images,
  })
