import { compareNames } from './identity-name.ts'
import { foldText } from './person-name.ts'

/** Letters of other scripts as they are folded, each with the Latin letter whose picture, small or capital, it shares. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  [
    ['авекмнорстухіјѕ', 'abekmhopctyxijs'],
    ['αβεζηικμνορτυχ', 'abezhikmnoptyx'],
  ].flatMap(([letters = '', latin = '']) =>
    Array.from(letters, (letter, at) => [letter, latin[at] ?? letter] as const),
  ),
)

/** Whether one word of a name has letters of two of the scripts that share pictures of letters. */
export function mixesScripts(name: string): boolean {
  return name.split(/[\s^=,-]+/).some((word) => scripts.filter((script) => script.test(word)).length > 1)
}

const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** Whether two names are different ones that look alike, being written with letters of two scripts. */
export function looksAlike(one: string, other: string): boolean {
  if (compareNames(one, other) !== 'name-different') return false
  const found = compareNames(pictureOf(one), pictureOf(other))
  return found !== 'name-different' && found !== 'name-unknown'
}

const pictureOf = (name: string) => Array.from(foldText(name), (letter) => lookAlikes.get(letter) ?? letter).join('')
