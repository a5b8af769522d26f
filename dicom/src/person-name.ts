/** One way of writing a name. Absent components are empty. PS3.5 §6.2.1. */
export type NameGroup = { family: string; given: string; middle: string; prefix: string; suffix: string }

/** A PN value: the name in up to three scripts. */
type PersonName = { alphabetic?: NameGroup; ideographic?: NameGroup; phonetic?: NameGroup }

const groupNames = ['alphabetic', 'ideographic', 'phonetic'] as const

/**
 * Reads a PN value, `Family^Given^Middle^Prefix^Suffix=ideographic=phonetic`.
 * A group without ^ but with one comma ("Smith, John", common) is read as family and given name.
 */
export function parsePersonName(text: string): PersonName {
  const name: PersonName = {}
  const groups = text.split('=')
  for (const [index, groupName] of groupNames.entries()) {
    const group = parseGroup(groups[index] ?? '')
    if (Object.values(group).some((component) => component !== '')) name[groupName] = group
  }
  return name
}

/** The name as a PN value, without trailing separators. */
export function formatPersonNameValue(name: PersonName): string {
  const groups = groupNames.map((groupName) => formatGroupValue(name[groupName]))
  return groups.join('=').replace(/=+$/, '')
}

/** The name for people, "FAMILY, Given Middle", the other scripts behind it: "YAMADA, Tarou · 山田 太郎 · やまだ たろう". */
export function formatPersonName(text: string): string {
  const name = parsePersonName(text)
  const alphabetic = name.alphabetic && formatAlphabetic(name.alphabetic)
  const others = [name.ideographic, name.phonetic].map((group) => group && formatPlain(group))
  return [alphabetic, ...others].filter((part) => part).join(' · ')
}

/** Everything in the name by which somebody may look for it: all scripts, folded by foldText, blanks between the parts. */
export function personNameSearchText(text: string): string {
  const name = parsePersonName(text)
  const parts = groupNames.flatMap((groupName) => {
    const group = name[groupName]
    return group ? [group.family, group.given, group.middle] : []
  })
  return foldText(parts.filter((part) => part !== '').join(' '))
}

/**
 * Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel marks, and characters without a picture (joiners, marks
 * of direction, soft hyphens), as the inside of a character class; not the marks that tell kana apart.
 */
export const foldedMarks =
  '\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff'

/** Letters that stand for two. */
export const foldedDigraphs: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
])

const katakana = Array.from({ length: 0x30f6 - 0x30a1 + 1 }, (_, at) => 0x30a1 + at)

/** Letters that have no accent to lose, and katakana, each with what it is folded to. */
export const foldedLetters: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ı', 'i'],
  ['\u2019', "'"],
  ['\u02bc', "'"],
  ...katakana.map((code) => [String.fromCharCode(code), String.fromCharCode(code - 0x60)] as const),
])

const marks = new RegExp(`[${foldedMarks}]`, 'g')

/**
 * Text without what a person typing a name may leave out: case, accents, width of letters, katakana or hiragana,
 * repeated blanks.
 */
export function foldText(text: string): string {
  const bare = text.normalize('NFKD').replace(marks, '').normalize('NFC').toLowerCase()
  return Array.from(bare, (letter) => foldedLetters.get(letter) ?? foldedDigraphs.get(letter) ?? letter)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

function parseGroup(text: string): NameGroup {
  const parts = !text.includes('^') && /^[^,]+,[^,]*$/.test(text) ? text.split(',') : text.split('^')
  const component = (index: number) => (parts[index] ?? '').trim()
  return { family: component(0), given: component(1), middle: component(2), prefix: component(3), suffix: component(4) }
}

function formatGroupValue(group: NameGroup | undefined): string {
  if (!group) return ''
  return [group.family, group.given, group.middle, group.prefix, group.suffix].join('^').replace(/\^+$/, '')
}

function formatAlphabetic(group: NameGroup): string {
  const given = [group.given, group.middle].filter((part) => part !== '').join(' ')
  const family = group.family.toUpperCase()
  return family && given ? `${family}, ${given}` : family || given || [group.prefix, group.suffix].join(' ').trim()
}

function formatPlain(group: NameGroup): string {
  return [group.family, group.given, group.middle].filter((part) => part !== '').join(' ')
}
