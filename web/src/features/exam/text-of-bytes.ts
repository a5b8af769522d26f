/** Control characters that no text has, but for tab, line feed, form feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
const controls = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/

/** The text in UTF-8 bytes, or in UTF-16 ones that begin with a byte order mark; undefined where they are none. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const mark = `${bytes[0]} ${bytes[1]}`
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8'
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text === '' || controls.test(text) ? undefined : text
  } catch {
    return undefined // bytes of something else
  }
}
