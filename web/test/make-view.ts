import type { StudyView } from '../src/queries/study-view.ts'
import { noFilters } from '../src/state/search-filters.ts'

/** The first page of all groups, for tests: name what matters, the rest is as it opens. */
export function makeView(given: Partial<StudyView> = {}): StudyView {
  return {
    inbox: undefined,
    state: 'Inbox',
    sort: 'upload-desc',
    page: 1,
    filters: noFilters,
    today: '2026-11-21',
    ...given,
  }
}
