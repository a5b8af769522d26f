import { studyList, studyGet } from '@hilum/contract/calls/study'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callApi } from '../api/call-api.ts'
import { addDays, todayIn } from '../format/date-range.ts'
import { t } from '../labels/label.ts'
import { usePreferences } from '../session/preferences.ts'
import { useEstablished } from '../session/session-store.ts'
import { mayCall } from '../session/use-may.ts'
import { putNotice } from '../state/notices.ts'
import type { Inbox } from './namespaces.ts'
import { studyKeys } from './studies.ts'

/** Newest shares that are looked at; more at one moment are told as so many. */
const lookedAt = 20
/** Into groups rules share, too, exam after exam: what comes so soon after a notice of groups is told together. */
const groupQuietMs = 60_000

type Arrival = { created?: string; created_by_name?: string; phi_namespace?: string }
type Place = Pick<Inbox, 'kind' | 'namespaceId' | 'permissions' | 'designation' | 'name'>

/** Exams of yesterday and today that others shared into places, newest first: what is older is no news. */
const receivedQuery = (namespaceIds: readonly string[], userUuid: string, today: string) =>
  queryOptions({
    queryKey: [...studyKeys.lists, 'received', namespaceIds.join(' '), today],
    queryFn: async ({ signal }) => {
      const list = {
        'filter.phi_namespace.in': namespaceIds,
        'filter.source.equals': 'share',
        'filter.created_by.not_equals': userUuid,
        'filter.created.ge': addDays(today, -1),
        'fields.study': JSON.stringify(['created', 'created_by_name', 'phi_namespace']),
        sort_by: 'created-desc',
        'page.rows': lookedAt,
        'page.number': 1,
      }
      return (await callApi(studyList, {}, { signal, list })).studies
    },
    enabled: namespaceIds.length > 0,
  })

/**
 * Tells the person of exams that are shared with them or their groups, or sent to the organisation, while they are here;
 * earlier ones are marked as unread. Nominations are no shares: gatekeeper groups count what waits for them.
 */
export function useShareNotices(inboxes: readonly Place[]): void {
  const seen = inboxes.filter(({ kind, permissions }) => kind === 'mine' || mayCall(studyGet, permissions))
  const groups = seen.filter(({ kind, designation }) => kind === 'group' && designation !== 'GATEKEEPER')
  useNoticesOf(placesOf(seen, 'mine'), (news) => {
    const [first] = news
    return news.length === 1
      ? t('share.arrived', { who: first?.created_by_name ?? '' })
      : t('share.arrivedMany', { count: news.length })
  })
  useNoticesOf(placesOf(seen, 'organisation'), (news) => {
    const [first] = news
    return news.length === 1
      ? t('send.arrived', { who: first?.created_by_name ?? '' })
      : t('send.arrivedMany', { count: news.length })
  })
  useNoticesOf(placesOf(groups, 'group'), (news) => groupWords(news, groups), groupQuietMs)
}

const placesOf = (inboxes: readonly Place[], kind: Inbox['kind']) =>
  inboxes.filter((inbox) => inbox.kind === kind).map(({ namespaceId }) => namespaceId)

function groupWords(news: readonly Arrival[], groups: readonly Place[]): string {
  const [first] = news
  const count = news.length
  const group = groups.find(({ namespaceId }) => namespaceId === first?.phi_namespace)?.name ?? ''
  if (news.some((one) => one.phi_namespace !== first?.phi_namespace)) return t('share.arrivedGroups', { count })
  if (count > 1) return t('share.arrivedGroupMany', { count, group })
  return t('share.arrivedGroup', { who: first?.created_by_name ?? '', group })
}

function useNoticesOf(namespaceIds: readonly string[], words: (news: readonly Arrival[]) => string, quietMs = 0): void {
  const { timeZone } = usePreferences()
  const { user } = useEstablished()
  const { data } = useQuery(receivedQuery(namespaceIds, user.uuid, todayIn(timeZone)))
  const [news] = useState(() => new News(quietMs))
  useEffect(() => {
    if (data) news.read(data, (arrivals) => putNotice(words(arrivals)))
  })
  useEffect(() => () => news.stop(), [news])
}

/** Arrivals that were not told yet. */
class News {
  private newest: string | undefined
  private untold: readonly Arrival[] = []
  private tell: (news: readonly Arrival[]) => void = () => undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly quietMs: number

  /** @param quietMs what comes within this time after a notice is told together at its end */
  constructor(quietMs: number) {
    this.quietMs = quietMs
  }

  /** Tells of rows that are newer than all before: one that left lets an older one in, and a restored one is back. */
  read(rows: readonly Arrival[], tell: (news: readonly Arrival[]) => void) {
    const before = this.newest
    this.tell = tell
    this.newest = [before ?? '', ...rows.map(({ created = '' }) => created)].toSorted().at(-1)
    if (before !== undefined) this.untold = [...rows.filter(({ created = '' }) => created > before), ...this.untold]
    if (this.timer === undefined) this.tellAll()
  }

  stop() {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private tellAll() {
    this.timer = undefined
    const news = this.untold
    if (news.length === 0) return
    this.untold = []
    this.tell(news)
    if (this.quietMs > 0) this.timer = setTimeout(() => this.tellAll(), this.quietMs)
  }
}
