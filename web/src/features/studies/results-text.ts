import { t } from '../../labels/label.ts'
import { readWorkFilter } from '../../queries/search-expressions.ts'
import { countCap } from '../../queries/studies.ts'
import type { SearchFilters } from '../../state/search-filters.ts'

/** How many studies a search found; empty until counted. */
export function resultsText(count: number | undefined): string {
  if (count === undefined) return ''
  return count > countCap ? t('list.resultsAtLeast', { count: countCap }) : t('list.results', { count })
}

/**
 * How many studies are marked, and what narrows the list meanwhile: the controls that tell of it give way to the acts
 * on the marked studies.
 */
export function selectedText(count: number, filters: Pick<SearchFilters, 'work'>, dates = ''): string {
  const work = readWorkFilter(filters.work)
  return [t('list.selected', { count }), work === 'any' ? '' : t(`work.${work}`), dates].filter(Boolean).join(' · ')
}
