import { setWording } from './label.ts'

const letters: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
  n: 'ñ',
  c: 'ç',
  s: 'š',
  y: 'ý',
}

/**
 * A text as the pseudo-language writes it: accents, brackets at both ends and a third more length. A text without
 * brackets on screen came from no key.
 */
export function toPseudo(text: string): string {
  const accented = text
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, (letter) => letters[letter] ?? letter)))
    .join('')
  return `⟦${accented}${'~'.repeat(Math.ceil(text.length / 3))}⟧`
}

/** Reads `?lang=` of the address; `xx-pseudo` shows leftovers, all else is English. */
export function chooseLanguage(search: string): void {
  if (new URLSearchParams(search).get('lang') !== 'xx-pseudo') return
  setWording('en', toPseudo)
}
