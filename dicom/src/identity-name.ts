import { foldText, type NameGroup, parsePersonName } from './person-name.ts'

export type NameReason =
  | 'name-same'
  /** Alike but for accents, case, width or the German way of writing umlauts. */
  | 'name-spelling'
  /** The same words, put into other components. */
  | 'name-parts-swapped'
  /** One lacks the middle name, or has the first letter of the middle name. */
  | 'name-partial'
  /** One has the first letter of the given name, or some of the names alone: twins are often written so. */
  | 'name-shortened'
  | 'name-different'
  | 'name-unknown'

const order: readonly NameReason[] = [
  'name-same',
  'name-spelling',
  'name-parts-swapped',
  'name-partial',
  'name-shortened',
  'name-different',
]

/** Compares two PN values over all their component groups; the best agreement of any two groups counts. */
export function compareNames(a: string, b: string): NameReason {
  const [one, other] = [parsePersonName(a), parsePersonName(b)]
  const [groups, others] = [Object.values(one), Object.values(other)]
  if (groups.length === 0 || others.length === 0) return 'name-unknown'
  // Different characters that sound alike are different names, whatever their reading says.
  if (one.ideographic && other.ideographic && compareGroups(one.ideographic, other.ideographic) === 'name-different') {
    return 'name-different'
  }
  const found = groups.flatMap((group) => others.map((another) => compareGroups(group, another)))
  return order.find((reason) => found.includes(reason)) ?? 'name-different'
}

function compareGroups(a: NameGroup, b: NameGroup): NameReason {
  if (a.family === b.family && a.given === b.given && a.middle === b.middle) return 'name-same'
  const components = (group: NameGroup) => [group.family, group.given, group.middle]
  const isSpelling = components(a).every((component, index) => isSpeltAlike(component, components(b)[index] ?? ''))
  if (isSpelling) return 'name-spelling'
  const [words, others] = [wordsOf(a), wordsOf(b)]
  const [fewer, more] = words.length <= others.length ? [words, others] : [others, words]
  const left = [...more]
  const isWhole = fewer.every((word) => takeWord(left, word, isSpeltAlike))
  if (isWhole && left.length === 0) return 'name-parts-swapped'
  if (lacksMiddleName(a, b)) return 'name-partial'
  if (isWhole && fewer.length >= 2) return 'name-shortened'
  return isSpeltAlike(a.family, b.family) && isInitial(a.given, b.given) ? 'name-shortened' : 'name-different'
}

/** Family and given name agree, and a middle name stands on one side alone, or as a first letter: "Doe^Jane^Q". */
function lacksMiddleName(a: NameGroup, b: NameGroup): boolean {
  if (a.given === '' || !isSpeltAlike(a.family, b.family) || !isSpeltAlike(a.given, b.given)) return false
  return a.middle === '' || b.middle === '' || isInitial(a.middle, b.middle)
}

/** One text is the first letter of the other: "J" or "J." of "Jane". */
function isInitial(a: string, b: string): boolean {
  const [one, other] = [foldText(a).replace(/\.$/, ''), foldText(b).replace(/\.$/, '')]
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short.length === 1 && long.startsWith(short)
}

function wordsOf(group: NameGroup): string[] {
  return [group.family, group.given, group.middle]
    .flatMap((component) => component.split(/[\s,-]/))
    .filter((word) => word !== '')
}

function takeWord(words: string[], word: string, isAlike: (a: string, b: string) => boolean): boolean {
  const at = words.findIndex((candidate) => isAlike(candidate, word))
  if (at < 0) return false
  words.splice(at, 1)
  return true
}

function isSpeltAlike(a: string, b: string): boolean {
  const spellings = spellingsOf(b)
  return spellingsOf(a).some((spelling) => spellings.includes(spelling))
}

const expansions: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** A word without accents, and with umlauts written as two letters. Apostrophes and hyphens do not count. */
function spellingsOf(text: string): string[] {
  const expanded = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüåø]/g, (letter) => expansions[letter] ?? letter)
  return [foldText(text), foldText(expanded)].map((word) => word.replace(/['.\s-]/g, ''))
}
