import { areAnswersQuick } from '../../queries/answer-times.ts'
import { readSearchFilters, type SearchFilters, shownField } from '../../state/search-filters.ts'
import { recognise, withTyped } from './recognise.ts'

/** Rest after a letter until what was typed is searched by, ms. */
export const askAfterMs = 150

/** Letters from which on a text narrows enough to be searched by while it is typed; the index of names takes three. */
const fewestLetters = 3

/**
 * The search to put in force while somebody types: undefined where typing waits for Search, as with a tag, which would
 * be added letter by letter, a text that is too short, or a server that does not answer at once.
 */
export function searchWhileTyping(typed: string): SearchFilters | undefined {
  const isEmptied = typed.trim() === '' && shownField(readSearchFilters()) !== undefined
  if (!isEmptied && !isLongEnough(typed)) return undefined
  return areAnswersQuick() ? newSearch(typed) : undefined
}

/**
 * Whether what was typed will be searched by Enter alone, which the field then says. A text that is too short says
 * nothing: the next letter may search.
 * @param followsTyping whether this place searches while somebody types
 */
export function waitsForEnter(typed: string, followsTyping: boolean): boolean {
  if (recognise(typed)?.kind === 'tag') return true
  return isLongEnough(typed) && newSearch(typed) !== undefined && !(followsTyping && areAnswersQuick())
}

function isLongEnough(typed: string): boolean {
  const found = recognise(typed)
  return found !== undefined && found.kind !== 'tag' && lettersOf(found.text) >= fewestLetters
}

/** The search by this text beside all other criteria in force; undefined where it is in force already. */
function newSearch(typed: string): SearchFilters | undefined {
  const inForce = readSearchFilters()
  const wanted = withTyped(inForce, typed)
  const shown = shownField(wanted)
  const isSame = shown === shownField(inForce) && (!shown || wanted[shown] === inForce[shown])
  return isSame ? undefined : wanted
}

/** A sign of a script that writes names in one or two signs, such as Chinese, counts as three letters. */
function lettersOf(text: string): number {
  return Array.from(text).reduce((sum, sign) => sum + (/[\p{Script=Han}\p{Script=Hangul}]/u.test(sign) ? 3 : 1), 0)
}
