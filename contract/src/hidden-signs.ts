/**
 * Signs that nobody sees and that make another text of one that looks the same, or turn the direction of the text behind
 * them (Unicode TR 9, TR 36): control characters but tabs and ends of lines, blanks without width, fillers, tags, and
 * marks of direction.
 */
const hidden =
  /(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u{2800}\u{fff9}-\u{fffb}]/u

/** Scripts whose words are spelled with joiners inside. */
const joined =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Gujr}\\p{scx=Guru}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}]'
/** Signs of the spelling: joiners inside such words, the form of a Han character, and those that make one picture of several. */
const spelled = new RegExp(
  [
    `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '[0-9#*]\\ufe0f\\u20e3',
    '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?(?:\\u200d\\p{Extended_Pictographic}\\ufe0f?\\p{Emoji_Modifier}?)*',
  ].join('|'),
  'gu',
)

/** Whether a text has a sign that cannot be seen or that turns the writing round. */
export function hasHiddenSign(text: string): boolean {
  return hidden.test(text.replace(spelled, ''))
}

/** A text without such signs. */
export function withoutHiddenSigns(text: string): string {
  return replaceHiddenSigns(text, '')
}

/** A text with a mark in the place of each such sign, for values that come from elsewhere and stay as they are. */
export function replaceHiddenSigns(text: string, mark: string): string {
  if (!hidden.test(text)) return text
  const parts = text.split(spelled)
  const kept = text.match(spelled) ?? []
  const each = new RegExp(hidden, 'gu')
  return parts.map((part, at) => part.replace(each, mark) + (kept[at] ?? '')).join('')
}
