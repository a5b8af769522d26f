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
