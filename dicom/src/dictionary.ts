import data from './dictionary-data.json' with { type: 'json' }
import { parseTag, tagToHex, vrOfTag } from './tags.ts'

/**
 * The whole data dictionary (PS3.6). The dictionary weighs some 200 KB: import it on the server only; tags.ts has what
 * the browser needs.
 */
type DictionaryEntry = { tag: number; vr: string; keyword: string }

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
  const entry = isOverlay(tag) ? overlays[tag & 0xffff] : entries[tagToHex(tag)]
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

/** Overlays stand once in the standard for all their groups, 6000 to 60FE. */
const overlays: Record<number, string> = {
  0x0010: 'US OverlayRows',
  0x0011: 'US OverlayColumns',
  0x0015: 'IS NumberOfFramesInOverlay',
  0x0022: 'LO OverlayDescription',
  0x0040: 'CS OverlayType',
  0x0045: 'LO OverlaySubtype',
  0x0050: 'SS OverlayOrigin',
  0x0051: 'US ImageFrameOrigin',
  0x0100: 'US OverlayBitsAllocated',
  0x0102: 'US OverlayBitPosition',
  0x1301: 'IS ROIArea',
  0x1302: 'DS ROIMean',
  0x1303: 'DS ROIStandardDeviation',
  0x1500: 'LO OverlayLabel',
  0x3000: 'OW OverlayData',
}

function isOverlay(tag: number): boolean {
  return tag >>> 24 === 0x60 && (tag >>> 16) % 2 === 0
}
