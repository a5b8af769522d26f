import type { TagColor, TagHue } from '@hilum/contract/tag-colors'
import { foldText } from '@hilum/dicom/person-name'

/** Tags that differ in case or accents only are one tag, as on the server. */
export function isSameTagName(a: string, b: string): boolean {
  return foldText(a) === foldText(b)
}

export function hasTagName(tags: readonly string[], tag: string): boolean {
  return tags.some((one) => isSameTagName(one, tag))
}

/** The tag that somebody typed; empty without one. The # that begins a tag in the search is no part of the tag. */
export function readTypedTag(typed: string): string {
  return typed.trim().replace(/^#+\s*/, '')
}

/** The colour of a tag: that of the longest beginning that it has, whatever case and accents; undefined without one. */
export function hueOfTag(tag: string, colors: readonly TagColor[]): TagHue | undefined {
  const folded = foldText(tag)
  return colors
    .filter(({ start }) => folded.startsWith(foldText(start)))
    .toSorted((one, other) => other.start.length - one.start.length)[0]?.hue
}
