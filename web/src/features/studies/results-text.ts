import { formatCount } from '../../format/file-size.ts'
import { t } from '../../labels/label.ts'
import { countCap } from '../../queries/studies.ts'

/** How many studies a search found; empty until counted. */
export function resultsText(count: number | undefined): string {
  if (count === undefined) return ''
  return count > countCap ? t('list.resultsAtLeast', { count: formatCount(countCap) }) : t('list.results', { count })
}
