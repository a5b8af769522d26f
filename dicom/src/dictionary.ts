import data from './dictionary-data.json' with { type: 'json' }
import { parseTag, tagToHex, vrOfTag } from './tags.ts'

/**
 * The whole data dictionary (PS3.6). It weighs some 200 KB: import it on the server only; tags.ts has what the
 * browser needs.
 */
export type DictionaryEntry = { tag: number; vr: string; keyword: string }

const entries: Record<string, string> = data
const tagByKeyword = new Map<string, number>()
for (const [hex, entry] of Object.entries(entries)) {
  const tag = parseTag(hex)
  if (tag !== undefined) tagByKeyword.set(entry.slice(entry.indexOf(' ') + 1), tag)
}

/**
 * The dictionary's entry of a standard tag. A VR that depends on the data set reads "xs" (US or SS), "ox" (OB or OW)
 * or "lt" (US, SS or OW).
 */
export function findEntry(tag: number): DictionaryEntry | undefined {
  const hex = tagToHex(tag)
  const entry = entries[hex] ?? entries[repeatingGroup(hex)]
  if (!entry) return undefined
  const space = entry.indexOf(' ')
  return { tag, vr: entry.slice(0, space), keyword: entry.slice(space + 1) }
}

/** The tag of a keyword: "PatientName" → 0x00100010. */
export function findTagByKeyword(keyword: string): number | undefined {
  return tagByKeyword.get(keyword)
}

/** The VR that the dictionary gives a tag; UN when it is private or unknown. */
export function findVr(tag: number): string {
  return vrOfTag(tag) ?? findEntry(tag)?.vr ?? 'UN'
}

/** Curves (50xx) and overlays (60xx) stand once in the dictionary for all their groups. */
function repeatingGroup(hex: string): string {
  return `${hex.slice(0, 2)}xx${hex.slice(4)}`
}
