import { hasTagName } from '../../format/tag-name.ts'
import { noFilters, type SearchFilters, shownField } from '../../state/search-filters.ts'

/** Meanings that the text of the one field may have. */
type Recognised =
  | { kind: 'patientName' | 'number' | 'studyUid'; text: string }
  | { kind: 'tag'; text: string }
  | undefined

/** Digits from which on they are a piece of a UID: longer than any MRN. */
const uidDigits = 17

/**
 * Tells a name, an MRN or accession number, a UID in part and a tag apart by how they are written: `#` begins a tag,
 * figures with full stops are a UID, other text with a figure is a number, and everything else a name.
 */
export function recognise(typed: string): Recognised {
  const text = typed.trim()
  if (text === '') return undefined
  if (text.startsWith('#')) return text.length > 1 ? { kind: 'tag', text: text.slice(1).trim() } : undefined
  const isUid = /^[\d.]+$/.test(text) && (/\d\.|\.\d/.test(text) || text.length >= uidDigits)
  if (isUid) return { kind: 'studyUid', text }
  return { kind: /\d/.test(text) && !/[%^]/.test(text) ? 'number' : 'patientName', text }
}

/** The search with what was typed into the one field in place of what stood there; a tag is added to the others. */
export function withTyped(inForce: SearchFilters, typed: string): SearchFilters {
  const shown = shownField(inForce)
  const rest = shown ? { ...inForce, [shown]: noFilters[shown] } : inForce
  const found = recognise(typed)
  if (!found) return rest
  if (found.kind !== 'tag') return { ...rest, [found.kind]: found.text }
  return hasTagName(rest.tags, found.text) ? rest : { ...rest, tags: [...rest.tags, found.text] }
}
