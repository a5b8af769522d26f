const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Letters, digits and marks of every script, as any file system takes them; all else becomes one `_`. Joiners stay inside
 * a word: without them Persian and Indian words read otherwise.
 * @param alsoTaken further characters that stay, as they stand in a character class
 */
export function fileWord(text: string, alsoTaken = ''): string {
  const taken = new RegExp(`(?:[\\p{L}\\p{N}\\p{M}${alsoTaken}]|(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=\\p{L}))+`, 'gu')
  return (text.toWellFormed().normalize('NFC').match(taken) ?? []).join('_').replace(/^[_.]+|[_.]+$/g, '')
}

/** The beginning of a text in at most so many bytes of UTF-8, never a part of a letter: file systems take 255 of a name. */
export function clipToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  let clipped = ''
  let bytes = 0
  for (const { segment } of graphemes.segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > most) break
    clipped += segment
  }
  return clipped
}

/** A name that is no device on Windows, whatever ending follows it. */
export function noDevice(name: string): string {
  return /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i.test(name) ? `${name}_` : name
}
