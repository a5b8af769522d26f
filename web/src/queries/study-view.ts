import type { Study } from '@hilum/contract/entities/study'
import type { Designation, StudyState } from '@hilum/contract/inbox-config'
import type { ListParameters } from '../api/call-api.ts'
import type { SearchFilters } from '../state/search-filters.ts'
import { logOnce } from './log-once.ts'
import type { Inbox } from './namespaces.ts'
import { toExpressions, workExpression } from './search-expressions.ts'

/** A view of the list: a place, one of its states, an order, a page and the search (LIST-10). */
export interface StudyView {
  /** Undefined for All My Groups. */
  inbox: Inbox | undefined
  state: StudyState
  sort: SortKey
  page: number
  filters: SearchFilters
  /** The day on which ranges such as "last 7 days" end, YYYY-MM-DD. */
  today: string
}

/** Sort options (LIST-12) as they stand in the address, and as the wire takes them. */
export const sorts = {
  priority: 'priority-desc,created-desc',
  'nomination-desc': 'nominated_at-desc',
  'nomination-asc': 'nominated_at-asc',
  'upload-desc': 'created-desc',
  'upload-asc': 'created-asc',
  'exam-desc': 'study_date-desc',
  'exam-asc': 'study_date-asc',
  'name-asc': 'patient_name-asc',
  'name-desc': 'patient_name-desc',
} as const
export type SortKey = keyof typeof sorts

const everywhere = ['upload-desc', 'upload-asc', 'exam-desc', 'exam-asc', 'name-asc', 'name-desc'] as const
const sortsByDesignation: Record<Designation, readonly SortKey[]> = {
  CLOUD: everywhere,
  LIBRARY: everywhere,
  GATEKEEPER: ['priority', 'nomination-desc', 'nomination-asc', ...everywhere],
}

/** The sorts that a kind of group knows; the first of a gatekeeper group is its default. */
export function sortsOf(designation: Designation | undefined): readonly SortKey[] {
  return sortsByDesignation[designation ?? 'CLOUD']
}

/** LIST-11: a sort that this kind of group does not know falls back to its default: newest upload, priority for a gatekeeper. */
export function validSort(sort: string | undefined, designation: Designation | undefined): SortKey {
  const known = sortsOf(designation)
  if (sort !== undefined && !(sort in sorts)) logOnce('Invalid sort option') // ERROR-15
  return (
    known.find((key) => key === sort) ??
    (sort === undefined && designation === 'GATEKEEPER' ? 'priority' : 'upload-desc')
  )
}

/** Filters of each state (LIST-06…09). Inbox is everything that is not deleted. */
const stateFilters: Partial<Record<StudyState, ListParameters>> = {
  Shared: { 'filter.has_direct_shares.equals': 1 },
  'Shared w/ group': { 'filter.source.equals': 'share' },
  Deleted: { 'filter.is_deleted.equals': 1 },
  Nominations: { 'filter.must_approve.equals': 1, 'filter.study_push_status.not_equals': 'rejected' },
  Queued: { 'filter.study_push_status.in': ['I', 'N', 'P'] },
  Rejected: { 'filter.study_push_status.equals': 'rejected' },
  Completed: { 'filter.study_push_status.equals': 'S' },
  Failed: { 'filter.study_push_status.equals': 'F' },
}

/** Where a search in a place looks: in the state that is shown there, else in the first; requests are no studies. */
export function searchedState(inbox: Inbox | undefined, shown: Pick<StudyView, 'inbox' | 'state'>): StudyState {
  const isSame = inbox?.id === shown.inbox?.id && shown.state !== 'Pending Requests'
  return isSame ? shown.state : (inbox?.states[0] ?? 'Inbox')
}

/** The filter part of a list or count request. */
export function toFilters(view: StudyView, inboxes: readonly Inbox[]): ListParameters {
  const place = view.inbox
    ? { 'filter.phi_namespace.equals': view.inbox.namespaceId }
    : { 'filter.phi_namespace.in': inboxes.map(({ namespaceId }) => namespaceId) }
  return {
    ...place,
    ...stateFilters[view.state],
    ...toExpressions(view.filters, view.today),
  }
}

/** Filters of a badge in the navigation: the studies of a place and state that are not done. */
export function openWorkFilters({ namespaceId }: Pick<Inbox, 'namespaceId'>, state: StudyState): ListParameters {
  return { 'filter.phi_namespace.equals': namespaceId, ...stateFilters[state], ...workExpression('open') }
}

/**
 * Sending outward as a card shows it (LIST-06, LIST-17): of several destinations, the one that needs a look first. What a
 * nomination has overtaken tells nothing, as in the views of a group.
 */
export function sendingStatus(study: Pick<Study, 'study_push_status'>): 'queued' | 'completed' | 'failed' | undefined {
  const codes = study.study_push_status.filter((one) => one.is_overtaken === 0).map(({ status }) => status)
  if (codes.includes('F')) return 'failed'
  if (codes.some((code) => code === 'I' || code === 'N' || code === 'P')) return 'queued'
  return codes.includes('S') ? 'completed' : undefined
}
