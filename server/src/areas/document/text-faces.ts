import type { TextStyle } from './html-style.ts'

/** The fonts of a PDF by name, each in four faces; coverage is asked for each, since none draws all that another does. */
export type FaceName = 'normal' | 'bold' | 'italics' | 'bolditalics'
export type Draws = (font: 'Sans' | 'Mono', face: FaceName, codePoint: number) => boolean

/** Text in one style, as the PDF writer takes it. */
export interface TextRun {
  text: string
  font: 'Sans' | 'Mono'
  bold: boolean
  italics: boolean
  fontSize: number
  decoration?: 'underline' | 'lineThrough'
  color?: string
  sup?: true
  sub?: true
  preserveLeadingSpaces?: true
}

/** The sign in a PDF for a character that no font of ours draws. */
export const UNDRAWN = '\u25af'

/** A longer word is cut into several: looking for where a line of one breaks takes the square of its length. */
const MAX_WORD_CHARS = 60

/** Marks without a look of their own, which fonts draw as boxes. */
const invisible = /(?![\n\t\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu

/**
 * Text as runs of one face each. Scripts that run from right to left count as undrawn: their letters there are, but in
 * the wrong order they read as something else.
 */
export function runsOf(text: string, style: TextStyle, draws: Draws): { runs: TextRun[]; undrawn: number } {
  const runs: TextRun[] = []
  let undrawn = 0
  let wordChars = 0
  for (const character of text.normalize('NFC').replace(invisible, '')) {
    const codePoint = character.codePointAt(0) ?? 0
    const face = character === '\n' ? undefined : findFace(codePoint, style, draws)
    const isDrawn = character === '\n' || face !== undefined
    if (!isDrawn) undrawn += 1
    const { font, bold, italics } = face ?? plain
    const last = runs.at(-1)
    const drawn = isDrawn ? character : UNDRAWN
    wordChars = /\s/.test(character) ? 0 : wordChars + 1
    const isTooLong = wordChars > MAX_WORD_CHARS
    if (isTooLong) wordChars = 1
    if (last && !isTooLong && last.font === font && last.bold === bold && last.italics === italics) last.text += drawn
    else runs.push({ text: drawn, font, bold, italics, ...looks(style) })
  }
  return { runs, undrawn }
}

type Face = Pick<TextRun, 'font' | 'bold' | 'italics'>
const plain: Face = { font: 'Sans', bold: false, italics: false }

function findFace(codePoint: number, { mono, bold, italics }: TextStyle, draws: Draws): Face | undefined {
  if (isRightToLeft(codePoint)) return undefined
  const wanted: Face[] = [
    ...(mono ? [{ font: 'Mono' as const, bold, italics }] : []),
    { font: 'Sans', bold, italics },
    { font: 'Sans', bold, italics: false },
    plain,
  ]
  return wanted.find((face) => draws(face.font, faceName(face), codePoint))
}

function faceName({ bold, italics }: Face): FaceName {
  if (bold) return italics ? 'bolditalics' : 'bold'
  return italics ? 'italics' : 'normal'
}

/** Blocks of Hebrew, Arabic and their like. */
const rightToLeft: readonly (readonly [number, number])[] = [
  [0x0590, 0x08ff],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfeff],
  [0x10800, 0x10fff],
  [0x1e800, 0x1efff],
]

function isRightToLeft(codePoint: number): boolean {
  return codePoint >= 0x0590 && rightToLeft.some(([from, to]) => codePoint >= from && codePoint <= to)
}

function looks({ sizePt, decoration, color, raised, isPre }: TextStyle) {
  return {
    fontSize: sizePt,
    ...(decoration ? { decoration } : {}),
    ...(color ? { color } : {}),
    ...(raised === 'sup' ? { sup: true as const } : {}),
    ...(raised === 'sub' ? { sub: true as const } : {}),
    ...(isPre ? { preserveLeadingSpaces: true as const } : {}),
  }
}
