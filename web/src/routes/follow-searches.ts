import type { RouterHistory } from '@tanstack/react-router'
import { storeSearchAt, returnToSearchAt } from '../state/search-trail.ts'

/**
 * Lets Back undo a search, and Forward do it again: every place of the history has the search that was in force there.
 * @returns ends it
 */
export function followSearches(history: RouterHistory): () => void {
  const keep = () => {
    const { __TSR_key: place } = history.location.state
    if (place) storeSearchAt(place)
  }
  keep()
  return history.subscribe(({ location, action }) => {
    const { __TSR_key: place } = location.state
    if (!place) return
    if (action.type === 'PUSH' || action.type === 'REPLACE') storeSearchAt(place)
    else returnToSearchAt(place)
  })
}
