/**
 * Text in DICOM's character sets (PS3.5 §6.1.2), on the platform's TextDecoder.
 * G0 holds the codes below 0x80, G1 those above; escape sequences put another set into either.
 */

/** A code element of G0 or G1: one byte a character, or two. */
export type CodeElement = { area: 'G0' | 'G1'; kind: 'single' | 'jis208' | 'jis212' | 'double'; label: string }

const ascii: CodeElement = { area: 'G0', kind: 'single', label: 'windows-1252' }
const jisRoman: CodeElement = { area: 'G0', kind: 'single', label: 'shift_jis' }
const katakana: CodeElement = { area: 'G1', kind: 'single', label: 'shift_jis' }
const upper = (label: string): CodeElement => ({ area: 'G1', kind: 'single', label })

/** Code elements by the characters that follow ESC. PS3.3 C.12.1.1.2, tables C.12-3 and C.12-4. */
export const codeElements: readonly (readonly [escape: string, element: CodeElement])[] = [
  ['(B', ascii],
  ['(J', jisRoman],
  [')I', katakana],
  ['-A', upper('windows-1252')],
  ['-B', upper('iso-8859-2')],
  ['-C', upper('iso-8859-3')],
  ['-D', upper('iso-8859-4')],
  ['-L', upper('iso-8859-5')],
  ['-G', upper('iso-8859-6')],
  ['-F', upper('iso-8859-7')],
  ['-H', upper('iso-8859-8')],
  ['-M', upper('windows-1254')],
  ['-b', upper('iso-8859-15')],
  ['-T', upper('windows-874')],
  ['$B', { area: 'G0', kind: 'jis208', label: 'euc-jp' }],
  ['$@', { area: 'G0', kind: 'jis208', label: 'euc-jp' }],
  ['$(D', { area: 'G0', kind: 'jis212', label: 'euc-jp' }],
  ['$)C', { area: 'G1', kind: 'double', label: 'euc-kr' }],
  ['$)A', { area: 'G1', kind: 'double', label: 'gbk' }],
]

/** Escapes that a defined term of Specific Character Set brings in, by its number. */
const escapesByTerm: Record<string, readonly string[]> = {
  '6': ['(B'],
  '100': ['(B', '-A'],
  '101': ['(B', '-B'],
  '109': ['(B', '-C'],
  '110': ['(B', '-D'],
  '144': ['(B', '-L'],
  '127': ['(B', '-G'],
  '126': ['(B', '-F'],
  '138': ['(B', '-H'],
  '148': ['(B', '-M'],
  '203': ['(B', '-b'],
  '166': ['(B', '-T'],
  '13': ['(J', ')I'],
  '87': ['$B'],
  '159': ['$(D'],
  '149': ['$)C'],
  '58': ['$)A'],
}

/** Sets that stand alone and know no escapes. */
const wholeSets: Record<string, string> = { '192': 'utf-8', GB18030: 'gb18030', GBK: 'gbk' }

/** The meaning of a value of Specific Character Set. */
type CharsetPlan =
  | { kind: 'whole'; label: string }
  | { kind: 'iso2022'; initial: readonly string[]; all: readonly string[] }
  | { kind: 'undeclared' }

/** Reads Specific Character Set leniently: "ISO-IR 100" and the like are common misspellings; an unknown term counts as none. */
export function planCharset(charset: string): CharsetPlan {
  const terms = charset.split('\\').map(normaliseTerm)
  const whole = terms.map((term) => wholeSets[term]).find((label) => label !== undefined)
  if (whole) return { kind: 'whole', label: whole }
  const first = terms[0] ?? ''
  const known = terms.filter((term) => term in escapesByTerm)
  if (known.length === 0) return { kind: 'undeclared' }
  const initial = escapesByTerm[first]?.filter((escape) => escape.length === 2 && !escape.startsWith('$')) ?? ['(B']
  return { kind: 'iso2022', initial, all: [...new Set(['(B', ...known.flatMap((term) => escapesByTerm[term] ?? [])])] }
}

function normaliseTerm(term: string): string {
  const text = term.trim().toUpperCase()
  const number = /^ISO[-_ ]?(?:2022[-_ ])?(?:IR[-_ ]?)?(\d+)$/.exec(text)?.[1]
  if (number && number !== '2022') return number
  if (/^(ISO 2022 )?GBK$/.test(text)) return 'GBK'
  if (/^UTF-?8$/.test(text)) return '192'
  return text
}

/**
 * Decodes a value; undecodable bytes become U+FFFD, nothing throws.
 * @param charset Specific Character Set, its values joined by backslashes
 * @param isPersonName in names ^ and = also end what an escape began
 */
export function decodeText(bytes: Uint8Array, charset: string, isPersonName = false): string {
  if (isPlainAscii(bytes)) return decodeWith('windows-1252', bytes)
  const plan = planCharset(charset)
  if (plan.kind === 'whole') return decodeWith(plan.label, bytes)
  if (plan.kind === 'undeclared' && !bytes.includes(ESC)) return decodeUndeclared(bytes)
  return decodeIso2022(bytes, plan.kind === 'iso2022' ? plan.initial : ['(B', '-A'], isPersonName)
}

/**
 * Decodes a value without a guess: where the bytes are not those of the declared set, U+FFFD stands for each that is not
 * ASCII. Undeclared UTF-8 is read, since its bytes cannot be mistaken for those of another set.
 */
export function decodeDeclaredText(bytes: Uint8Array, charset: string, isPersonName = false): string {
  const text = decodeText(bytes, charset, isPersonName)
  if (isPlainAscii(bytes) || isAsDeclared(bytes, planCharset(charset))) return text
  return Array.from(bytes, (byte) => (byte < 0x80 && byte !== ESC ? String.fromCharCode(byte) : UNREAD)).join('')
}

const UNREAD = '\ufffd'

/** Whether a text has a sign that stands for bytes of an unknown character. */
export function hasUnreadCharacter(text: string): boolean {
  return text.includes(UNREAD)
}

function isAsDeclared(bytes: Uint8Array, plan: CharsetPlan): boolean {
  if (plan.kind === 'whole') return !bytes.includes(ESC)
  if (plan.kind === 'undeclared') return !bytes.includes(ESC) && isUtf8(bytes)
  const isEscapeKnown = bytes.every((byte, at) => byte !== ESC || findEscape(bytes, at + 1) !== undefined)
  // no Latin-1 name is made of sequences of UTF-8 alone
  const isLatin1 = plan.all.every((escape) => escape === '(B' || escape === '-A')
  return isEscapeKnown && !(isLatin1 && bytes.some((byte) => byte >= 0x80) && isUtf8(bytes))
}

function isUtf8(bytes: Uint8Array): boolean {
  return !hasUnreadCharacter(decodeWith('utf-8', bytes))
}

const ESC = 0x1b

/** No character set declared, yet bytes above 0x7f: UTF-8 where the bytes are valid UTF-8, else Latin-1. */
function decodeUndeclared(bytes: Uint8Array): string {
  return decodeWith(isUtf8(bytes) ? 'utf-8' : 'windows-1252', bytes)
}

function decodeIso2022(bytes: Uint8Array, initial: readonly string[], isPersonName: boolean): string {
  const start = { G0: ascii, G1: upper('windows-1252') }
  for (const escape of initial) {
    const element = codeElements.find(([known]) => known === escape)?.[1]
    if (element) start[element.area] = element
  }
  let current = { ...start }
  let text = ''
  let offset = 0
  while (offset < bytes.length) {
    const byte = bytes[offset] ?? 0
    if (byte === ESC) {
      const found = findEscape(bytes, offset + 1)
      if (found) current[found[1].area] = found[1]
      offset += 1 + (found ? found[0].length : 0)
      continue
    }
    if (current.G0.kind === 'single' && isReset(byte, isPersonName)) {
      current = { ...start }
      text += String.fromCharCode(byte)
      offset += 1
      continue
    }
    const isUpper = byte >= 0x80
    let end = offset + 1
    while (end < bytes.length && belongsToRun(bytes[end] ?? 0, isUpper, current.G0.kind === 'single', isPersonName))
      end += 1
    text += decodeRun(isUpper ? current.G1 : current.G0, bytes.subarray(offset, end))
    offset = end
  }
  return text
}

function belongsToRun(byte: number, isUpper: boolean, isSingle: boolean, isPersonName: boolean): boolean {
  if (byte === ESC || byte >= 0x80 !== isUpper) return false
  return isUpper || !(isSingle && isReset(byte, isPersonName))
}

/** Characters after which the initial sets are in force again (PS3.5 §6.1.2.5.3). */
function isReset(byte: number, isPersonName: boolean): boolean {
  if (byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x5c) return true
  return isPersonName && (byte === 0x5e || byte === 0x3d)
}

function findEscape(bytes: Uint8Array, offset: number): readonly [string, CodeElement] | undefined {
  const next = String.fromCharCode(...bytes.subarray(offset, offset + 3))
  return codeElements.find(([escape]) => next.startsWith(escape))
}

function decodeRun(element: CodeElement, run: Uint8Array): string {
  if (element.kind === 'jis208')
    return decodeWith(
      'euc-jp',
      run.map((byte) => (isJisByte(byte) ? byte | 0x80 : byte)),
    )
  if (element.kind === 'jis212') {
    const shifted: number[] = []
    for (let index = 0; index + 1 < run.length; index += 2) {
      shifted.push(0x8f, (run[index] ?? 0) | 0x80, (run[index + 1] ?? 0) | 0x80)
    }
    return decodeWith('euc-jp', Uint8Array.from(shifted))
  }
  return decodeWith(element.label, run)
}

function isJisByte(byte: number): boolean {
  return byte >= 0x21 && byte <= 0x7e
}

function isPlainAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80 && byte !== ESC)
}

const decoders = new Map<string, TextDecoder>()

/** Decodes with one of the platform's decoders; each is made once. */
export function decodeWith(label: string, bytes: Uint8Array): string {
  let decoder = decoders.get(label)
  if (!decoder) {
    decoder = new TextDecoder(label, { ignoreBOM: true })
    decoders.set(label, decoder)
  }
  return decoder.decode(bytes)
}
