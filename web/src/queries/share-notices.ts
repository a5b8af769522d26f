import { studyList, studyGet } from '@hilum/contract/calls/study'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { callApi } from '../api/call-api.ts'
import { t } from '../labels/label.ts'
import { putNotice } from '../state/notices.ts'
import { mayCall } from '../session/use-may.ts'
import type { Inbox } from './namespaces.ts'
import { studyKeys } from './studies.ts'

/** Newest shares that are looked at; more at one moment are told as so many. */
const lookedAt = 20

const receivedQuery = (namespaceId: string) =>
  queryOptions({
    queryKey: [...studyKeys.lists, 'received', namespaceId],
    queryFn: async ({ signal }) => {
      const list = {
        'filter.phi_namespace.equals': namespaceId,
        'filter.source.equals': 'share',
        'fields.study': JSON.stringify(['uuid', 'created_by_name']),
        sort_by: 'created-desc',
        'page.rows': lookedAt,
        'page.number': 1,
      }
      return (await callApi(studyList, {}, { signal, list })).studies
    },
    enabled: namespaceId !== '',
  })

const words = {
  mine: { one: 'share.arrived', many: 'share.arrivedMany' },
  organisation: { one: 'send.arrived', many: 'send.arrivedMany' },
} as const

/**
 * Tells the person of exams that are shared with them or sent to the organisation while they are here; earlier ones are
 * marked as unread.
 */
export function useShareNotices(inboxes: readonly Pick<Inbox, 'kind' | 'namespaceId' | 'permissions'>[]): void {
  const mine = inboxes.find(({ kind }) => kind === 'mine')
  const organisation = inboxes.find(
    ({ kind, permissions }) => kind === 'organisation' && mayCall(studyGet, permissions),
  )
  useNoticesOf('mine', mine?.namespaceId ?? '')
  useNoticesOf('organisation', organisation?.namespaceId ?? '')
}

function useNoticesOf(place: keyof typeof words, namespaceId: string): void {
  const { data } = useQuery(receivedQuery(namespaceId))
  const seen = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (!data) return
    const before = seen.current
    seen.current = new Set([...(before ?? []), ...data.map(({ uuid = '' }) => uuid)])
    const fresh = before ? data.filter(({ uuid = '' }) => !before.has(uuid)) : []
    const [first] = fresh
    const who = first?.created_by_name ?? ''
    if (fresh.length === 1) putNotice(t(words[place].one, { who }))
    if (fresh.length > 1) putNotice(t(words[place].many, { count: fresh.length }))
  }, [data, place])
}
