import { studyShareAccess } from '@hilum/contract/calls/study-share'
import type { Study } from '@hilum/contract/entities/study'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../labels/label.ts'
import { sharesOfAllQuery } from '../../queries/shares.ts'
import { mayCall } from '../../session/use-may.ts'

/** Words beside recipients that have exams already, by their UUIDs. */
export type KnownRecipients = ReadonlyMap<string, string>

export const nobodyKnown: KnownRecipients = new Map()

/** Recipients of one exam. */
export const haveAccess = (uuids: readonly string[] = []): KnownRecipients =>
  new Map(uuids.map((uuid) => [uuid, t('share.has')]))

/** Recipients of several exams, with how many of these each has; nobody while it is not known of all exams who has them. */
export function useKnownRecipients(studies: readonly Study[]): KnownRecipients {
  const mayAskOfAll = studies.every(({ permissions }) => mayCall(studyShareAccess, permissions))
  const uuids = studies.map(({ uuid }) => uuid)
  const { data } = useQuery({ ...sharesOfAllQuery(uuids), enabled: mayAskOfAll })
  if (!data?.isWhole) return nobodyKnown
  const shares = Map.groupBy(
    data.shares.filter(({ state }) => state !== 'failed'),
    ({ uuid }) => uuid,
  )
  const of = studies.length
  const textOf = (count: number) => (count === of ? t('share.hasAll', { of }) : t('share.hasSome', { count, of }))
  return new Map([...shares].map(([uuid, { length }]) => [uuid, textOf(length)]))
}
