const MAX_NAME_CHARS = 200
const MAX_ENDING_CHARS = 20

/**
 * The name of a file as somebody's machine gave it, made fit to be shown and saved: no folders, no control characters,
 * no marks that turn the reading direction (they let `gpj.exe` read as `exe.jpg`), not over-long, never empty.
 */
export function safeFilename(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu, '')
    .replace(/[<>:"|?*]+/g, '_')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '')
  return shorten(plain) || 'attachment'
}

/** The ending stays: it tells people what the file is. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_NAME_CHARS) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 ? Array.from(name.slice(dot)) : []
  if (ending.length > MAX_ENDING_CHARS) return characters.slice(0, MAX_NAME_CHARS).join('')
  return [...characters.slice(0, MAX_NAME_CHARS - ending.length), ...ending].join('')
}
