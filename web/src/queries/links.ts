import { type Link, linkAdd, linkDelete, linkList, linkMail, linkPriors, linkSet } from '@hilum/contract/calls/link'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi, type Parameters } from '../api/call-api.ts'
import { studyKeys } from './studies.ts'

/** Uses are seen to grow while the list is looked at. */
const refreshMs = 15_000

/** The links to a study, the newest first. */
export const linksQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'links'],
    queryFn: async ({ signal }) => (await callApi(linkList, { study_id: uuid }, { signal })).links,
    refetchInterval: refreshMs,
  })

/** Earlier exams of the patient of a study, as a link to it would show them now. */
export const priorsQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'link-priors'],
    queryFn: ({ signal }) => callApi(linkPriors, { study_id: uuid }, { signal }),
  })

export type LinkFields = Omit<Parameters<typeof linkAdd>, 'study_id' | 'study_ids' | 'action'>

/**
 * Makes, changes and revokes links to a study; the list is read again after each.
 * @param more other studies of the same place, which a new link shows as well
 */
export function useLinks(studyUuid: string, more: readonly string[] = []) {
  const client = useQueryClient()
  const onSettled = () =>
    Promise.all([studyUuid, ...more].map((uuid) => client.invalidateQueries({ queryKey: studyKeys.one(uuid) })))
  const make = useMutation({
    mutationFn: (options: LinkFields) =>
      callApi(linkAdd, {
        ...options,
        study_id: studyUuid,
        ...(more.length > 0 ? { study_ids: more.join(',') } : {}),
        action: 'STUDY_VIEW',
      }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ link, ...changed }: { link: Link; minutes_left?: number; max_hits?: number; unlock?: 1 }) =>
      callApi(linkSet, { uuid: link.uuid, ...changed }),
    onSettled,
  })
  const revoke = useMutation({
    mutationFn: (link: Link) => callApi(linkDelete, { uuid: link.uuid }),
    onSettled,
  })
  const restore = useMutation({
    mutationFn: (link: Link) => callApi(linkSet, { uuid: link.uuid, restore: 1 }),
    onSettled,
  })
  const mail = useMutation({
    mutationFn: ({ uuid, email }: { uuid: string; email: string }) => callApi(linkMail, { uuid, email }),
    onSettled,
  })
  return { make, change, revoke, restore, mail }
}
