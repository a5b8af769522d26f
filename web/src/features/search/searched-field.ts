import type { SearchFilters } from '../../state/search-filters.ts'

/** The label of a field of the search. */
export function searchedField(field: keyof SearchFilters) {
  return field === 'modalities' ? ('search.field.modality' as const) : (`search.field.${field}` as const)
}
