import { type Gatekeeper, studyNominateForm } from '@hilum/contract/calls/study-nominate'
import { studyShare, studyShareStop } from '@hilum/contract/calls/study-share'
import type { Nomination, Study } from '@hilum/contract/entities/study'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { readStudiesAgain } from './patch-studies.ts'
import { studyKeys } from './studies.ts'

export type { Gatekeeper }

/** NOMINATE-02 */
type NominationState = 'EVALUATING' | 'IS_NOMINATED' | 'NOT_NOMINATED' | 'REJECTED' | 'NOMINATION_SUCCESS'

/** NOMINATE-03: a study that was not read yet is evaluated. */
export function nominationState(study: Pick<Study, 'nomination'> | undefined): NominationState {
  if (!study) return 'EVALUATING'
  if (!study.nomination) return 'NOT_NOMINATED'
  if (study.nomination.state === 'rejected') return 'REJECTED'
  return study.nomination.state === 'completed' ? 'NOMINATION_SUCCESS' : 'IS_NOMINATED'
}

/** The gatekeeper groups that a study can be nominated to, and their forms. */
export const nominateFormQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'gatekeepers'],
    queryFn: async ({ signal }) => (await callApi(studyNominateForm, { uuid }, { signal })).gatekeepers,
    staleTime: 60_000,
  })

/** A gatekeeper group and the answers of its form, by the uuids of the fields. */
interface NominationOptions {
  groupId: string
  answers: Readonly<Record<string, string>>
}

/** Nominates a study, or cancels its nomination (NOMINATE-04, NOMINATE-05). */
export function useNominations(study: Pick<Study, 'uuid'>) {
  const client = useQueryClient()
  const onSettled = () => void readStudiesAgain(client, [study.uuid])
  const nominate = useMutation({
    mutationFn: ({ groupId, answers }: NominationOptions) => {
      const sent = Object.entries(answers).map(([uuid, value]) => [`customfield-${uuid}`, value] as const)
      return callApi(studyShare, { uuid: study.uuid, group_id: groupId, ...Object.fromEntries(sent) })
    },
    onSettled,
  })
  const cancel = useMutation({
    mutationFn: ({ group_uuid: groupId }: Nomination) =>
      callApi(studyShareStop, { uuid: study.uuid, group_id: groupId }),
    onSettled,
  })
  return { nominate, cancel }
}
