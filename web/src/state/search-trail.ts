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

/**
 * Puts the search of an earlier place in force again; a place from before the page was loaded has none, and changes nothing.
 * @returns whether the place has one
 */
export function returnToSearchAt(place: string): boolean {
  const earlier = trail.get(place)
  if (earlier && earlier !== useSearchFilters.getState()) setSearchFilters(earlier)
  return earlier !== undefined
}

/** When a session ends: nobody comes back to another person's searches. */
export function forgetSearches(): void {
  trail.clear()
}

/** State of a navigation that shows a new search: a place of its own in the history, though the address be the same. */
export function asNewSearch(): SearchState {
  return { searchedAt: performance.timeOrigin + performance.now() }
}

/** The same for a search that is still being typed: it takes the place of the one a letter before. */
export function asTypedSearch(here: SearchState): { state: SearchState; replace: boolean } {
  return { state: { ...asNewSearch(), isTypedSearch: true }, replace: here.isTypedSearch === true }
}

/** The search of a place in the history, as far as the place says of it. */
export interface SearchState {
  /** When the search that is shown there was asked for. */
  searchedAt?: number
  /** Whether the search was made while somebody typed. */
  isTypedSearch?: boolean
}
