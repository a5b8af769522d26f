import { hasHiddenSign } from './hidden-signs.ts'

/** Colours that an account may give kinds of tags; what each looks like is the screens' own. */
export const tagHues = ['red', 'orange', 'green', 'teal', 'blue', 'purple'] as const
export type TagHue = (typeof tagHues)[number]

/** A kind of tags, by how they begin, and its colour. */
export interface TagColor {
  start: string
  hue: TagHue
}

/** Most kinds of one account, and most characters of a beginning: those of a tag. */
export const maxTagColors = 40
const maxStart = 64

/**
 * The kinds that a setting names, one a line as `ER=red`; undefined where a line is none, or a beginning stands twice.
 * The last = of a line parts beginning and colour, as tags may have one.
 */
export function readTagColors(setting: string): TagColor[] | undefined {
  const lines = setting.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map(readLine)
  const valid = read.filter((one) => one !== undefined)
  const isTwice = new Set(valid.map(({ start }) => start.toLowerCase())).size < valid.length
  return valid.length < read.length || isTwice || valid.length > maxTagColors ? undefined : valid
}

function readLine(line: string): TagColor | undefined {
  const at = line.lastIndexOf('=')
  const start = line.slice(0, Math.max(at, 0)).trim()
  const hue = tagHues.find((one) => one === line.slice(at + 1).trim())
  return start === '' || start.length > maxStart || hasHiddenSign(start) || /\p{Cc}/u.test(start) || !hue
    ? undefined
    : { start, hue }
}

export function writeTagColors(colors: readonly TagColor[]): string {
  return colors.map(({ start, hue }) => `${start}=${hue}`).join('\n')
}
