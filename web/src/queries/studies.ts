import { studyCount, studyGet, studyList } from '@hilum/contract/calls/study'
import type { Study } from '@hilum/contract/entities/study'
import { studyPageRows } from '@hilum/contract/limits'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { isOpenSearch } from './address-filters.ts'
import { noteAnswer } from './answer-times.ts'
import type { Inbox } from './namespaces.ts'
import { type StudyView, sorts, toFilters } from './study-view.ts'

/** The web shows "more than 10,000" and does not wait for the rest to be counted. */
export const countCap = 10_000

/** First part of the keys of everything that a change to a study makes stale. */
export const studyKeys = { lists: ['studies'], one: (uuid: string) => ['study', uuid], badges: ['badges'] } as const

export interface StudyPage {
  studies: Study[]
  hasMore: boolean
}

/** Page size and order of a grid, instead of the list's own. */
export interface GridPage {
  rows: number
  /** As the wire takes it, e.g. `patientid-asc`. */
  sortBy: string
}

export const studiesQuery = (view: StudyView, inboxes: readonly Inbox[], grid?: GridPage) =>
  queryOptions({
    queryKey: [...studyKeys.lists, 'page', { ...keyOf(view), grid }],
    queryFn: async ({ signal }): Promise<StudyPage> => {
      const list = {
        ...toFilters(view, inboxes),
        sort_by: grid?.sortBy ?? sorts[view.sort],
        'page.number': view.page,
        'page.rows': grid?.rows ?? studyPageRows,
      }
      const asked = isOpenSearch(view.filters) ? 'list' : 'text'
      const since = performance.now()
      const note = () => noteAnswer(asked, performance.now() - since, signal.aborted)
      const { studies, page } = await callApi(studyList, {}, { signal, list }).finally(note)
      // No fields were left out by the request, so each study is whole.
      return { studies: studies as Study[], hasMore: page.more === 1 }
    },
    enabled: view.state !== 'Pending Requests',
    // The rows of another place must never stand under this one's name; those of another page or order may, for a moment.
    placeholderData: (previous, previousQuery) =>
      isSamePlace(previousQuery?.queryKey[2], view) ? previous : undefined,
  })

export const studyCountQuery = (view: StudyView, inboxes: readonly Inbox[]) =>
  queryOptions({
    queryKey: [...studyKeys.lists, 'count', { ...keyOf(view), page: undefined, sort: undefined }],
    queryFn: ({ signal }) => callApi(studyCount, { cap: countCap }, { signal, list: toFilters(view, inboxes) }),
    select: ({ count }) => count,
    enabled: view.state !== 'Pending Requests',
  })

export const studyQuery = (uuid: string) =>
  queryOptions({
    queryKey: studyKeys.one(uuid),
    // No fields were left out by the request, so the study is whole.
    queryFn: async ({ signal }) => (await callApi(studyGet, { uuid }, { signal })) as Study,
  })

/** A study as a list that is kept shows it: there at once, while the study itself is read. */
export function findListedStudy(client: QueryClient, uuid: string): Study | undefined {
  for (const [, page] of client.getQueriesData<StudyPage>({ queryKey: [...studyKeys.lists, 'page'] })) {
    const listed = page?.studies.find((study) => study.uuid === uuid)
    if (listed) return listed
  }
  return undefined
}

/** Studies of the lists on the screen, each in the bin or among the others. */
export function listedPlaces(client: QueryClient): Map<string, 'others' | 'bin'> {
  const places = new Map<string, 'others' | 'bin'>()
  const onScreen = { queryKey: [...studyKeys.lists, 'page'], type: 'active' } as const
  for (const [key, page] of client.getQueriesData<StudyPage>(onScreen)) {
    const view = key[2] as { state?: string } | undefined // as `studiesQuery` makes it
    for (const { uuid } of page?.studies ?? []) places.set(uuid, view?.state === 'Deleted' ? 'bin' : 'others')
  }
  return places
}

function isSamePlace(key: unknown, { inbox, state }: StudyView): boolean {
  if (typeof key !== 'object' || key === null || !('inbox' in key && 'state' in key)) return false
  return key.inbox === (inbox?.id ?? 'all') && key.state === state
}

function keyOf({ inbox, ...rest }: StudyView) {
  return { inbox: inbox?.id ?? 'all', ...rest }
}
