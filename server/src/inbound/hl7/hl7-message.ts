import { Hl7Fault } from './hl7-fault.ts'

/** The delimiters of a message, as its MSH names them. */
export interface Delimiters {
  field: string
  component: string
  repetition: string
  escape: string
  subcomponent: string
}

/** One segment, split only where somebody asks. */
export interface Hl7Segment {
  /** Three letters. */
  name: string
  line: string
  delimiters: Delimiters
}

/** A message holds this many segments at most; no order comes near. */
const maxSegments = 10_000

/**
 * The delimiters of a message.
 * @param header its first segment
 * @throws Hl7Fault when it is no MSH, or its delimiters cannot be told apart
 */
export function readDelimiters(header: string): Delimiters {
  const [field = '', component = '', repetition = '', escape = '', subcomponent = ''] = header.slice(3, 8)
  const chosen = [field, component, repetition, escape, subcomponent]
  const after = header[8] === field ? header[8] : header[9]
  const isReadable =
    header.startsWith('MSH') &&
    chosen.every((one) => /^[!-/:-@[-`{-~]$/.test(one)) &&
    new Set(chosen).size === chosen.length &&
    after === field
  if (!isReadable) throw new Hl7Fault('segments', 'The message has no readable header', 'MSH')
  return { field, component, repetition, escape, subcomponent }
}

/**
 * The segments of a message in their order.
 * @throws Hl7Fault when a line is no segment, a second message follows, or there are too many
 */
export function readSegments(text: string, delimiters: Delimiters): Hl7Segment[] {
  const lines = text.split(/\r\n|\r|\n/, maxSegments + 2).filter((line) => line !== '')
  if (lines.length > maxSegments) throw new Hl7Fault('segments', 'The message has too many segments')
  return lines.map((line, at) => {
    const name = line.slice(0, 3)
    const isSegment = /^[A-Z][A-Z0-9]{2}$/.test(name) && (line.length === 3 || line[3] === delimiters.field)
    if (!isSegment) throw new Hl7Fault('segments', `Line ${at + 1} of the message is no segment`)
    if (name === 'MSH' && at > 0) throw new Hl7Fault('segments', 'One frame holds several messages', 'MSH')
    return { name, line, delimiters }
  })
}

/** A field as it was sent, with its repetitions and escapes; empty when it is not there. MSH-1 is the delimiter. */
export function rawField({ name, line, delimiters }: Hl7Segment, field: number): string {
  if (name === 'MSH' && field === 1) return delimiters.field
  return partAt(line, delimiters.field, name === 'MSH' ? field - 1 : field)
}

/** Repetitions of a field that are looked at. */
const maxRepetitions = 50

/** The repetitions of a field as they were sent; none of an empty field. */
export function repetitionsOf(segment: Hl7Segment, field: number): string[] {
  const raw = rawField(segment, field)
  return raw === '' ? [] : raw.split(segment.delimiters.repetition, maxRepetitions)
}

/**
 * A component of a repetition of a field, its first subcomponent unless another is asked for.
 * @returns undefined when nothing was sent, which leaves what is known; empty when the sender says that there is nothing
 */
export function componentOf(
  { delimiters }: Pick<Hl7Segment, 'delimiters'>,
  repetition: string,
  component: number,
  subcomponent = 1,
): string | undefined {
  if (repetition === '""') return ''
  const whole = partAt(repetition, delimiters.component, component - 1)
  const part = partAt(whole, delimiters.subcomponent, subcomponent - 1)
  if (part === '') return undefined
  return part === '""' ? '' : unescapeText(part, delimiters).trim()
}

/** A component of the first repetition of a field; see `componentOf`. */
export function valueOf(segment: Hl7Segment | undefined, field: number, component = 1): string | undefined {
  if (!segment) return undefined
  const [first = ''] = repetitionsOf(segment, field)
  return componentOf(segment, first, component)
}

/** A field as lines of text: each repetition, and each line of one; for the text of reports, which is taken whole. */
export function textLinesOf(segment: Hl7Segment, field: number): string[] {
  const { delimiters } = segment
  const raw = rawField(segment, field)
  if (raw === '""') return []
  return raw.split(delimiters.repetition).flatMap((one) => unescapeText(one, delimiters, '\n').split('\n'))
}

/** The part behind `index` delimiters. Counts along the text: a line of a million delimiters makes no million parts. */
function partAt(text: string, delimiter: string, index: number): string {
  let from = 0
  for (let passed = 0; passed < index; passed++) {
    const at = text.indexOf(delimiter, from)
    if (at === -1) return ''
    from = at + 1
  }
  const until = text.indexOf(delimiter, from)
  return text.slice(from, until === -1 ? undefined : until)
}

/** A text without its escapes (chapter 2, 2.7). Marks of highlighting and of what is not known here go. */
function unescapeText(
  text: string,
  { field, component, repetition, escape, subcomponent }: Delimiters,
  lineBreak = ' ',
): string {
  const meant: Readonly<Record<string, string>> = {
    F: field,
    S: component,
    T: subcomponent,
    R: repetition,
    E: escape,
    '.br': lineBreak,
    '.sp': lineBreak,
  }
  const parts = text.split(escape)
  // without its end an escape is a sign like others
  if (parts.length % 2 === 0) return text
  return parts
    .map((part, at) => (at % 2 === 0 ? part : (meant[part] ?? (part.startsWith('X') ? fromHex(part.slice(1)) : ''))))
    .join('')
}

/** Bytes in hexadecimal digits: ASCII, or UTF-8. */
function fromHex(digits: string): string {
  return /^([\dA-Fa-f]{2})+$/.test(digits) ? Buffer.from(digits, 'hex').toString('utf8') : ''
}
