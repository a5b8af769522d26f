import type { Association } from '@hilum/dicom/dimse/association'
import { find } from '@hilum/dicom/dimse/query'
import { kindOfStatus } from '@hilum/dicom/dimse/status'

/** A part of a text, `%` for anything. */
export function pattern(text: string): string {
  return text === '' ? '' : `*${text.replaceAll('%', '*')}*`.replace(/\*{2,}/g, '*')
}

/**
 * The keys that a name is searched by: as it is typed, in capitals, and with capital initials. Whether case counts in names
 * is left to each peer (PS3.4 C.2.2.2.1). A comma parts family and given name, as a caret does; a blank stands for whatever
 * parts words.
 */
export function nameKeysOf(text: string): readonly string[] {
  const typed = pattern(
    text
      .trim()
      .replace(/\s*,\s*/g, '*^*')
      .replace(/\s+/g, '*'),
  )
  const initials = typed.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{Ll}/gu, (letter) => letter.toUpperCase())
  return [...new Set([typed, typed.toUpperCase(), initials])]
}

/**
 * Asks by each key of a name, one after the other, until an answer is enough. A fault of the first key is that of the
 * search; where another one fails or takes too long, what was found by then stands.
 */
export async function findByName(
  association: Association,
  sopClass: string,
  patientName: string,
  keysOf: (nameKey: string) => Parameters<typeof find>[2],
  onAnswer: Parameters<typeof find>[3],
): ReturnType<typeof find> {
  const [typed = '', ...others] = nameKeysOf(patientName)
  let end = await find(association, sopClass, keysOf(typed), onAnswer)
  for (const key of others) {
    if (end.isCut || kindOfStatus(end.status) !== 'success') break
    const next = await find(association, sopClass, keysOf(key), onAnswer).catch(() => undefined)
    if (!next && association.isOpen) association.abort()
    if (!next || kindOfStatus(next.status) !== 'success') break
    end = next
  }
  return end
}
