import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { todayIn } from '../../format/date-range.ts'
import { t } from '../../labels/label.ts'
import { badgeText } from '../../queries/open-counts.ts'
import { savedSearchesQuery } from '../../queries/saved-searches.ts'
import { useSearchCounts } from '../../queries/search-counts.ts'
import { usePreferences } from '../../session/preferences.ts'
import { inChosenOrder } from '../../session/search-settings.ts'
import { useEstablished } from '../../session/session-store.ts'
import { askForSavedList } from '../../state/saved-list.ts'
import { useSearchFilters } from '../../state/search-filters.ts'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { useOpenSearch } from './open-search.ts'
import style from './shell.module.css'

/** The saved searches with how many studies each finds now; nothing while there are none. */
export function NavSearches() {
  const { account, settings } = useEstablished()
  const { timeZone } = usePreferences()
  const { data: saved = [] } = useQuery(savedSearchesQuery(account.uuid))
  const counts = useSearchCounts(saved, todayIn(timeZone))
  const inForce = JSON.stringify(useSearchFilters())
  const { openSaved } = useOpenSearch()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  if (saved.length === 0) return null
  const handleList = () => {
    askForSavedList()
    if (!pathname.startsWith('/group/')) void navigate({ to: '/group/list' })
  }
  return (
    <section className={style.searches} aria-labelledby="nav-searches">
      <h2 id="nav-searches">
        <button type="button" className={style.searchList} title={t('nav.searchesHint')} onClick={handleList}>
          {t('nav.searches')}
        </button>
      </h2>
      <ul>
        {inChosenOrder(saved, settings).map((one) => (
          <li key={one.uuid}>
            <button
              type="button"
              className={style.search}
              title={one.name}
              aria-current={JSON.stringify(one.filters) === inForce ? 'true' : undefined}
              onClick={() => openSaved(one)}
            >
              <span className={style.searchName}>{one.name}</span>
              <Found count={counts[one.uuid]} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Found({ count }: { count: number | undefined }) {
  if (count === undefined) return null
  const text = badgeText(count)
  return (
    <span className={style.count} title={t('nav.searchFound', { count: text })}>
      <span aria-hidden="true">{text}</span>
      <HeardOnly>{t('nav.searchFound', { count: text })}</HeardOnly>
    </span>
  )
}
