import { studyDuplicate } from '@hilum/contract/calls/study-duplicate'
import {
  type RecipientKind,
  type Shareable,
  type ShareInForce,
  type StudyShareAccess,
  studyShare,
  studyShareAccess,
  studyShareStop,
  studyShareWho,
} from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { readOneAddress } from '@hilum/contract/mail-address'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiFailure } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import { readStudiesAgain } from './patch-studies.ts'
import { stopShare } from './stop-share.ts'
import { studyKeys } from './studies.ts'

/** Suggestions in one list; whoever is not among them is found by more of the name. */
const suggestedRecipients = 20

/** People or groups that a study can be shared with, by parts of their names. */
export const recipientsQuery = (uuid: string, type: RecipientKind, typed: string) => {
  const search = readOneAddress(typed)
  return queryOptions({
    queryKey: ['recipients', uuid, type, search.toLowerCase()],
    queryFn: async ({ signal }) => {
      const list = { 'page.rows': suggestedRecipients, 'page.number': 1 }
      const { shares, page } = await callApi(studyShareWho, { uuid, type, search }, { signal, list })
      return { found: shares, hasMore: page.more === 1 }
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** The owner of a study, and who has access to it; read again whenever the study changes. */
export const accessQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'access'],
    queryFn: ({ signal }) => callApi(studyShareAccess, { uuid }, { signal }),
  })

const sharesOfAllKey = 'shares-of-all'

/**
 * Shares of several studies, asked for in one request. Its key is its own: what becomes of a study meanwhile, its
 * deletion too, asks nothing again; sharing them does.
 */
export const sharesOfAllQuery = (uuids: readonly string[]) =>
  queryOptions({
    queryKey: [sharesOfAllKey, uuids],
    queryFn: async ({ signal }) => {
      const asked = uuids.map((uuid) => ({ parameters: { uuid } }))
      const answers = await callBundle(studyShareAccess, asked, signal)
      return {
        shares: answers.flatMap((answer) => (answer.isDone ? answer.reply.shares : [])),
        isWhole: answers.every(({ isDone }) => isDone),
      }
    },
    gcTime: 0,
  })

interface ChosenRecipient extends Shareable {
  kind: RecipientKind
}

interface ShareOptions {
  studies: readonly Study[]
  recipients: readonly ChosenRecipient[]
  message: string
  delaySeconds: number
  /** 0 for no end. */
  minutes: number
  /** Images of several patients were looked at. */
  isMixedSeen: boolean
}

/** Outcome of sharing one study with one recipient. */
export interface ShareResult {
  study: Study
  recipient: ChosenRecipient
  failure: ApiFailure | undefined
  /** The share in force; of a gatekeeper group none. */
  share: ShareInForce | undefined
}

/** Shares each study with each recipient in one request; one that fails leaves the others alone. */
export function useShareStudies() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({
      studies,
      recipients,
      message,
      delaySeconds,
      minutes,
      isMixedSeen,
    }: ShareOptions): Promise<ShareResult[]> => {
      const pairs = studies.flatMap((study) => recipients.map((recipient) => ({ study, recipient })))
      const text = message.trim()
      const results = await callBundle(
        studyShare,
        pairs.map(({ study, recipient }) => ({
          parameters: {
            uuid: study.uuid,
            ...named(recipient),
            ...(text ? { message: text } : {}),
            ...(delaySeconds > 0 ? { delay: delaySeconds } : {}),
            ...(minutes > 0 ? { expires: minutes } : {}),
            ...(isMixedSeen && study.mixed_patients === 1 ? { mixed_patients: 1 as const } : {}),
          },
        })),
      )
      return pairs.map((pair, at) => {
        const result = results[at]
        const share = result?.isDone ? result.reply.share : undefined
        return { ...pair, share, failure: result && !result.isDone ? result.failure : undefined }
      })
    },
    onSettled: (_reply, _failure, { studies }) => {
      void client.invalidateQueries({ queryKey: [sharesOfAllKey] })
      void readStudiesAgain(
        client,
        studies.map(({ uuid }) => uuid),
      )
    },
  })
}

/** Keeps a copy of a study that came by a share, in the place where it is. */
export function useKeepCopy({ uuid, phi_namespace: namespaceId }: Pick<Study, 'uuid' | 'phi_namespace'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi(studyDuplicate, { uuid, namespace_id: namespaceId }),
    onSettled: () => void readStudiesAgain(client, [uuid]),
  })
}

/** Stops a share, or brings it back as it was, one that failed too. */
export function useStopShare(uuid: string) {
  const client = useQueryClient()
  const onSettled = () => void readStudiesAgain(client, [uuid])
  const stop = useMutation({
    mutationFn: (access: StudyShareAccess) => stopShare({ uuid, ...named(access) }),
    onSettled,
  })
  const again = useMutation({
    // the server knows the way and the words of a share that failed, a code's too
    mutationFn: (access: StudyShareAccess) => callApi(studyShareStop, { uuid, ...named(access), restore: 1 }),
    onSettled,
  })
  return { stop, again }
}

function named({ kind, uuid }: { kind: RecipientKind; uuid: string }) {
  return { [`${kind}_id`]: uuid }
}
