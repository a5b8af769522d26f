import { type CodeElement, codeElements, decodeWith, planCharset } from './text.ts'

/** The character set that holds every text. */
export const UNICODE_CHARSET = 'ISO_IR 192'

/**
 * A value in the character set of its file; undefined when that set cannot hold it (then UNICODE_CHARSET is needed).
 * @param charset Specific Character Set, its values joined by backslashes
 */
export function encodeText(text: string, charset: string, isPersonName = false): Uint8Array | undefined {
  if (isAscii(text)) return encodeAscii(text)
  const plan = planCharset(charset)
  if (plan.kind === 'undeclared') return undefined
  if (plan.kind === 'iso2022') return encodeIso2022(text, plan.initial, plan.all, isPersonName)
  if (plan.label === 'utf-8') return new TextEncoder().encode(text)
  return encodeWhole(text, plan.label)
}

/** Whether a text has the same bytes in every character set of DICOM. */
export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is asked for
  return /^[\u0000-\u007f]*$/.test(text)
}

/** A loop, since `Uint8Array.from` with a function took half the time of a query's answers. */
function encodeAscii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place)
  return bytes
}

function encodeWhole(text: string, label: string): Uint8Array | undefined {
  const table = doubleByteTable(label)
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.charCodeAt(0) < 0x80 ? [letter.charCodeAt(0)] : table.get(letter)
    if (!code) return undefined
    bytes.push(...code)
  }
  return Uint8Array.from(bytes)
}

type Designated = { G0: string; G1: string | undefined }

function encodeIso2022(
  text: string,
  initial: readonly string[],
  all: readonly string[],
  isPersonName: boolean,
): Uint8Array | undefined {
  const start: Designated = {
    G0: initial.find((escape) => areaOf(escape) === 'G0') ?? '(B',
    G1: initial.find((escape) => areaOf(escape) === 'G1'),
  }
  let current = { ...start }
  const bytes: number[] = []
  const designate = (escape: string) => {
    if (current[areaOf(escape)] === escape) return
    bytes.push(0x1b, ...Array.from(escape, (letter) => letter.charCodeAt(0)))
    current[areaOf(escape)] = escape
  }
  for (const letter of text) {
    const code = letter.charCodeAt(0)
    if (code < 0x80) {
      if (current.G0.startsWith('$')) designate(start.G0)
      bytes.push(code)
      // Behind a separator the reader starts afresh, so G1 has to be named again.
      if (/[\t\n\f\r\\]/.test(letter) || (isPersonName && /[=^]/.test(letter))) current = { ...start }
      continue
    }
    const found = all.map((escape) => [escape, tableOf(escape).get(letter)] as const).find(([, encoded]) => encoded)
    if (!found?.[1]) return undefined
    designate(found[0])
    bytes.push(...found[1])
  }
  if (current.G0.startsWith('$')) designate(start.G0)
  return Uint8Array.from(bytes)
}

function areaOf(escape: string): 'G0' | 'G1' {
  return elementOf(escape).area
}

function elementOf(escape: string): CodeElement {
  const found = codeElements.find(([known]) => known === escape)
  if (!found) throw new RangeError('Unknown escape sequence')
  return found[1]
}

const tables = new Map<string, Map<string, readonly number[]>>()

/** Characters above ASCII of one code element with their bytes, made by decoding every code once. */
function tableOf(escape: string): Map<string, readonly number[]> {
  const known = tables.get(escape)
  if (known) return known
  const element = elementOf(escape)
  const table = new Map<string, readonly number[]>()
  if (element.kind === 'jis208' || element.kind === 'jis212') {
    const prefix = element.kind === 'jis212' ? [0x8f] : []
    fillPairs(table, 'euc-jp', [0xa1, 0xfe], [0xa1, 0xfe], prefix, (byte) => byte & 0x7f)
  } else if (element.kind === 'double') {
    fillPairs(table, element.label, [0xa1, 0xfe], [0xa1, 0xfe], [], (byte) => byte)
  } else if (element.area === 'G1') {
    for (let byte = 0xa0; byte <= 0xff; byte += 1) {
      const letter = decodeWith(element.label, Uint8Array.of(byte))
      if (letter.length === 1 && letter !== '\ufffd') table.set(letter, [byte])
    }
  }
  tables.set(escape, table)
  return table
}

function doubleByteTable(label: string): Map<string, readonly number[]> {
  const known = tables.get(label)
  if (known) return known
  const table = new Map<string, readonly number[]>()
  fillPairs(table, label, [0x81, 0xfe], [0x40, 0xfe], [], (byte) => byte)
  tables.set(label, table)
  return table
}

type Range = readonly [first: number, last: number]

function fillPairs(
  table: Map<string, readonly number[]>,
  label: string,
  lead: Range,
  trail: Range,
  prefix: readonly number[],
  store: (byte: number) => number,
): void {
  for (let first = lead[0]; first <= lead[1]; first += 1) {
    for (let second = trail[0]; second <= trail[1]; second += 1) {
      const letters = [...decodeWith(label, Uint8Array.from([...prefix, first, second]))]
      const letter = letters[0]
      if (letters.length === 1 && letter && letter !== '\ufffd' && !table.has(letter)) {
        table.set(letter, [store(first), store(second)])
      }
    }
  }
}
