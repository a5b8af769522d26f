import { clipToBytes } from './file-word.ts'

/** File systems take 255 bytes. */
const MAX_NAME_BYTES = 240
const MAX_ENDING_BYTES = 20

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
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 ? name.slice(dot) : ''
  const endingBytes = Buffer.byteLength(ending)
  if (endingBytes > MAX_ENDING_BYTES) return clipToBytes(name, MAX_NAME_BYTES)
  return clipToBytes(name.slice(0, name.length - ending.length), MAX_NAME_BYTES - endingBytes) + ending
}
