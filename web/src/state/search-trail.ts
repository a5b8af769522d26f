import { type SearchFilters, setSearchFilters, useSearchFilters } from './search-filters.ts'

/**
 * The search in force at each place of the browser's history, by the place's key. A search names patients, so the history
 * itself, which a browser keeps, holds keys alone.
 */
const trail = new Map<string, SearchFilters>()

/** Keeps the search in force as that of a place in the history. */
export function storeSearchAt(place: string): void {
  trail.set(place, useSearchFilters.getState())
}

/** Puts the search of an earlier place in force again; a place from before the page was loaded has none, and changes nothing. */
export function returnToSearchAt(place: string): void {
  const kept = trail.get(place)
  if (kept && kept !== useSearchFilters.getState()) setSearchFilters(kept)
}

/** When a session ends: nobody comes back to another person's searches. */
export function forgetSearches(): void {
  trail.clear()
}

/** State of a navigation that shows a new search: a place of its own in the history, though the address be the same. */
export function asNewSearch(): { searchedAt: number } {
  return { searchedAt: performance.timeOrigin + performance.now() }
}
