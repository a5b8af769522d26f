import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'

/** The search in force. It names patients, so it lives in the browser's session and never in an address. */
export interface SearchFilters {
  patientName: string
}

const none: SearchFilters = { patientName: '' }

export const useSearchFilters = create<SearchFilters>()(
  persist(() => none, { name: 'hilum.search', storage: createJSONStorage(() => sessionStorage) }),
)

export function setSearchFilters(filters: SearchFilters): void {
  useSearchFilters.setState(filters, true)
}

/** SHELL-10: before a new case, a request or a retrieval, and on Clear Search. Leaves nothing in the browser storage (AUTH-16). */
export function clearSearchFilters(): void {
  setSearchFilters(none)
  useSearchFilters.persist.clearStorage()
}
