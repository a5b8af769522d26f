import {
  type Shareable,
  type ShareInForce,
  studyShare,
  studyShareStop,
  studyShareTrack,
  type TrackedSend,
} from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiFailure } from '../api/api-failure.ts'
import { callApi } from '../api/call-api.ts'
import { callBundle } from '../api/call-bundle.ts'
import { readStudiesAgain } from './patch-studies.ts'
import { isShareGone, stopShare } from './stop-share.ts'
import { studyKeys } from './studies.ts'

export const sendMethods = ['account', 'email', 'code'] as const
export type SendMethod = (typeof sendMethods)[number]

/** To whom exams go, as the call names them. */
export type SendRecipient =
  | ({ kind: 'account' } & Pick<Shareable, 'uuid' | 'name'>)
  | { kind: 'email'; name: string }
  | { kind: 'code'; name: string }

interface SendFields {
  studies: readonly Study[]
  recipients: readonly SendRecipient[]
  message: string
  /** Seconds until it is sent; 0 for at once. */
  delaySeconds: number
  /**
   * Minutes until access ends; 0 for never; undefined for the default of the organisation, which leaves the end of an
   * access that stands as it is.
   */
  minutes: number | undefined
  withAttachments: boolean
  /** The links let the images be downloaded. */
  download: boolean
  /** Values of the custom fields that the receiver of a share code asks for, by uuid. */
  answers: Readonly<Record<string, string>>
  /** Asked for on the pages of links. */
  factor: { kind: 'none' | 'birthDate' } | { kind: 'password'; password: string }
  /** The pages of links ask for a code that is mailed to the addressee. */
  asksPin: boolean
  /** Images of several patients were looked at. */
  isMixedSeen: boolean
  /** Sendings that went before, which are not made again. */
  without: ReadonlySet<string>
}

/** Outcome of sending one study to one recipient (SEND-06). */
export interface SendResult {
  study: Study
  recipient: SendRecipient
  failure: ApiFailure | undefined
  /** The link that an e-mail address was sent. */
  linkUuid: string | undefined
  /** The share in force; of an e-mail address none. */
  share: ShareInForce | undefined
  /** The moment from which it is delivered, by the clock of this machine. */
  dueAt: number
}

/** Names a recipient among others; addresses differ neither by case. */
export const recipientKey = (recipient: SendRecipient) =>
  `${recipient.kind} ${recipient.kind === 'account' ? recipient.uuid : recipient.name.toLowerCase()}`

/** Names one study on its way to one recipient. */
export const sendingKey = ({ study, recipient }: Pick<SendResult, 'study' | 'recipient'>) =>
  `${study.uuid} ${recipientKey(recipient)}`

/** API-53: sends each study to each recipient in one request; one that fails leaves the others alone. */
export function useSendStudies() {
  const client = useQueryClient()
  const onSettled = (studies: readonly Study[]) =>
    void readStudiesAgain(
      client,
      studies.map(({ uuid }) => uuid),
    )
  const send = useMutation({
    mutationFn: async (options: SendFields): Promise<SendResult[]> => {
      const pairs = options.studies
        .flatMap((study) => options.recipients.map((recipient) => ({ study, recipient })))
        .filter((pair) => !options.without.has(sendingKey(pair)))
      const dueAt = Date.now() + options.delaySeconds * 1000
      const results = await callBundle(
        studyShare,
        pairs.map((pair) => ({
          parameters: {
            uuid: pair.study.uuid,
            ...named(pair.recipient),
            ...wordsOf(options, pair.recipient),
            ...(options.isMixedSeen && pair.study.mixed_patients === 1 ? { mixed_patients: 1 as const } : {}),
          },
          // with other words, too: nobody is mailed a second link by a press after a line that broke
          act: sendingKey(pair),
        })),
      )
      return pairs.map((pair, at) => {
        const result = results[at]
        const linkUuid = result?.isDone ? result.reply.user_invite_share_id?.[0] : undefined
        const share = result?.isDone ? result.reply.share : undefined
        return { ...pair, linkUuid, share, dueAt, failure: result && !result.isDone ? result.failure : undefined }
      })
    },
    onSettled: (_results, _failure, { studies }) => onSettled(studies),
  })
  /** Takes back what was to be sent later; what was delivered meanwhile stays. Gives how many could not be taken back. */
  const undo = useMutation({
    mutationFn: async (results: readonly SendResult[]): Promise<number> => {
      const sent = results.filter(({ failure }) => !failure)
      const stopped = await callBundle(
        studyShareStop,
        sent.map(({ study, recipient, linkUuid, share }) => ({
          parameters: {
            uuid: study.uuid,
            scheduled_only: 1 as const,
            ...(linkUuid ? { user_invite_share_id: linkUuid } : named(recipient)),
            ...(share ? { share_id: share.uuid } : {}),
          },
        })),
      )
      return stopped.filter((one) => !one.isDone && !isShareGone(one.failure)).length
    },
    onSettled: (_count, _failure, results) => onSettled(results.map(({ study }) => study)),
  })
  return { send, undo }
}

function named(recipient: SendRecipient) {
  if (recipient.kind === 'account') return { account_id: recipient.uuid }
  return recipient.kind === 'email' ? { email: recipient.name } : { share_code: recipient.name }
}

function wordsOf(
  { message, delaySeconds, minutes, withAttachments, download, factor, asksPin, answers }: SendFields,
  { kind }: SendRecipient,
) {
  const text = message.trim()
  const asked = factor.kind === 'password' ? { password: factor.password } : { password_is_dob: 1 as const }
  return {
    ...(text ? { message: text } : {}),
    ...(delaySeconds > 0 ? { delay: delaySeconds } : {}),
    ...(minutes === undefined ? {} : { expires: minutes }),
    ...(kind === 'email' && factor.kind !== 'none' ? asked : {}),
    ...(kind === 'email' && asksPin ? { pin_auth: 1 as const } : {}),
    ...(kind === 'email' && download ? { download: 1 as const } : {}),
    ...(withAttachments ? { attachments: 1 as const } : {}),
    ...(kind === 'code'
      ? Object.fromEntries(Object.entries(answers).map(([uuid, value]) => [`customfield-${uuid}`, value]))
      : {}),
  }
}

/** The progress of every sending of a study; read again whenever the study changes. */
export const trackedQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...studyKeys.one(uuid), 'tracked'],
    queryFn: ({ signal }) => callApi(studyShareTrack, { uuid }, { signal }),
  })

/** Stops something that was sent, and brings it back as it was. */
export function useStopSend(uuid: string) {
  const client = useQueryClient()
  const onSettled = () => void readStudiesAgain(client, [uuid])
  const sent = ({ kind, uuid: to }: TrackedSend) => ({
    uuid,
    [kind === 'email' ? 'user_invite_share_id' : `${kind}_id`]: to,
  })
  const stop = useMutation({ mutationFn: (send: TrackedSend) => stopShare(sent(send)), onSettled })
  const again = useMutation({
    mutationFn: (send: TrackedSend) => callApi(studyShareStop, { ...sent(send), restore: 1 }),
    onSettled,
  })
  return { stop, again }
}
