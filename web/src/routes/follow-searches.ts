import { defaultParseSearch, type RouterHistory } from '@tanstack/react-router'
import { fromAddress } from '../queries/address-filters.ts'
import { readAddressFilters } from '../state/list-search.ts'
import { readSearchFilters, setSearchFilters } from '../state/search-filters.ts'
import { storeSearchAt, returnToSearchAt } from '../state/search-trail.ts'

/**
 * Lets Back undo a search, and Forward do it again: every place of the history has the search that was in force there.
 * @returns ends it
 */
export function followSearches(history: RouterHistory): () => void {
  const store = () => {
    const { __TSR_key: place } = history.location.state
    if (place) storeSearchAt(place)
  }
  store()
  return history.subscribe(({ location, action }) => {
    const { __TSR_key: place } = location.state
    if (!place) return
    if (action.type === 'PUSH' || action.type === 'REPLACE') storeSearchAt(place)
    else if (!returnToSearchAt(place) && isList(location.pathname)) {
      // from before the page was loaded: the address alone tells of the search
      const open = fromAddress(readAddressFilters(defaultParseSearch(location.search)))
      setSearchFilters({ ...readSearchFilters(), ...open })
    }
  })
}

function isList(path: string): boolean {
  return path === '/worklist' || path.startsWith('/group/')
}
