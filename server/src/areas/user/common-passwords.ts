import { createHash } from 'node:crypto'
import { foldLogin } from '@hilum/contract/fold-login'
import { readOwnFile } from '../../outbound/files/own-file.ts'

/**
 * Common and breached passwords as sorted 32-bit starts of their SHA-256, made by `tools/common-passwords.ts`. About one
 * password in 40,000 that is not among them is taken for one of them; another is chosen then.
 */
const file = new URL('common-passwords.bin', import.meta.url)
let filter: Uint32Array | undefined
/** A password of fewer different signs is a pattern on the keyboard. */
const fewestSigns = 5

/** Whether a password is a common one, whatever its upper and lower case, or a common word with digits or signs around. */
export function isCommonPassword(password: string): boolean {
  const folded = foldLogin(password)
  const word = withoutEdges(folded)
  const written = [word, folded.replace(/[^\p{L}]+$/u, '')]
  const words = [folded, word, ...written.flatMap((text) => [withLetters(text), withLetters(text, 'l')])]
  const isOne = [...words, ...repeatedWords(folded)].some(isListed)
  return new Set(folded).size < fewestSigns || isOne
}

/** The filter of these passwords and words, as the file holds it: big-endian numbers, each once. */
export function filterOf(passwords: readonly string[]): Buffer {
  const starts = Uint32Array.from(new Set(passwords.map((one) => startOf(foldLogin(one))))).sort()
  const bytes = Buffer.alloc(starts.length * 4)
  starts.forEach((start, index) => bytes.writeUInt32BE(start, index * 4))
  return bytes
}

function isListed(folded: string): boolean {
  if (folded === '') return false
  filter ??= readFilter()
  const wanted = startOf(folded)
  let low = 0
  let high = filter.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((filter[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return filter[low] === wanted
}

function readFilter(): Uint32Array {
  const bytes = readOwnFile(file)
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4))
}

function startOf(folded: string): number {
  return createHash('sha256').update(folded).digest().readUInt32BE()
}

function withoutEdges(folded: string): string {
  return folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}

const lettersBehind: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
  '@': 'a',
}

/** "p4ssw0rd" reads "password". */
export function withLetters(folded: string, one = 'i'): string {
  return folded.replace(/[013457$@]/g, (sign) => (sign === '1' ? one : (lettersBehind[sign] ?? sign)))
}

/** The word of a password that says one word several times, with or without signs between. */
function repeatedWords(folded: string): string[] {
  const [word, ...more] = new Set(folded.match(/\p{L}+/gu))
  if (!word || more.length > 0) return []
  return [word, word.replace(/^(\p{L}{3,}?)\1+$/u, '$1')]
}
