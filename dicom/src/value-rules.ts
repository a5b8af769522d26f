import { isDicomDay } from './dates.ts'
import { hasShortLength } from './elements.ts'
import { hasUnreadCharacter } from './text.ts'
import { isStandardUid } from './uid.ts'
import type { WriteValue } from './write-part10.ts'

/** Bytes that a VR with a short length holds; text takes at most four for a character. */
const MAX_SHORT_BYTES = 0xfffe
const MAX_UTF8_BYTES = 4
const MAX_GROUP_CHARS = 64

type Rule = { maxChars: number; isOne?: boolean; mayBreakLines?: boolean; fits?: (value: string) => boolean }

const pattern = (shape: RegExp) => (value: string) => shape.test(value)
const isDecimal = pattern(/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/)
/** JSON, arithmetic and most readers know no greater numbers: a value beyond them would leave empty. */
const isFiniteDecimal = (value: string) => isDecimal(value) && Number.isFinite(Number(value))
const hasDateTimeForm = pattern(
  /^\d{4}((0[1-9]|1[0-2])(\d\d(([01]\d|2[0-3])([0-5]\d([0-5]\d(\.\d{1,6})?)?)?)?)?)?([+-](0\d|1[0-4])[0-5]\d)?$/,
)
const isDateTime = (value: string) => {
  const [digits = ''] = value.split(/[.+-]/)
  return hasDateTimeForm(value) && (digits.length < 8 || isDicomDay(digits.slice(0, 8)))
}
const UNLIMITED = Number.POSITIVE_INFINITY

/** Rules for one value of a text VR. Source: PS3.5 table 6.2-1. */
const rules: Record<string, Rule> = {
  AE: { maxChars: 16, fits: pattern(/^[ -~]*$/) },
  AS: { maxChars: 4, fits: pattern(/^\d{3}[DWMY]$/) },
  CS: { maxChars: 16, fits: pattern(/^[A-Z0-9 _]*$/) },
  DA: { maxChars: 8, fits: isDicomDay },
  DS: { maxChars: 16, fits: isFiniteDecimal },
  DT: { maxChars: 26, fits: isDateTime },
  IS: { maxChars: 12, fits: (value) => /^[+-]?\d+$/.test(value) && Number(value) === (Number(value) | 0) },
  LO: { maxChars: 64 },
  LT: { maxChars: 10_240, isOne: true, mayBreakLines: true },
  PN: { maxChars: UNLIMITED },
  SH: { maxChars: 16 },
  ST: { maxChars: 1024, isOne: true, mayBreakLines: true },
  TM: { maxChars: 13, fits: pattern(/^([01]\d|2[0-3])([0-5]\d([0-5]\d(\.\d{1,6})?)?)?$/) },
  UC: { maxChars: UNLIMITED },
  UI: { maxChars: 64, fits: isStandardUid },
  UR: { maxChars: UNLIMITED, isOne: true, fits: pattern(/^[!-~]*$/) },
  UT: { maxChars: UNLIMITED, isOne: true, mayBreakLines: true },
}

const integers: Record<string, readonly [least: bigint, greatest: bigint]> = {
  US: [0n, 0xffffn],
  SS: [-0x8000n, 0x7fffn],
  UL: [0n, 0xffff_ffffn],
  SL: [-0x8000_0000n, 0x7fff_ffffn],
  UV: [0n, 0xffff_ffff_ffff_ffffn],
  SV: [-0x8000_0000_0000_0000n, 0x7fff_ffff_ffff_ffffn],
}

/**
 * Control characters of both sets (PS3.5 §6.1.3 uses none of C1), separators of lines, and invisible signs that make
 * another value: blanks without width, marks that turn the direction of the text behind them. Joiners stand in names of Persian
 * and Indian scripts.
 */
// oxlint-disable-next-line no-control-regex -- these signs are refused
const unwritable = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u2028-\u202e\u2060-\u2069\ufeff]/
/** Control characters that long texts may hold: tab, line feed, form feed, carriage return. */
const lineBreaks = /[\t\n\f\r]/g

/** Why a VR cannot hold a text. `most` counts characters of a value; in a name, of a component group. */
export type ValueFault =
  | {
      kind: 'several-values' | 'control-character' | 'unread-character' | 'component-groups' | 'components' | 'form'
      vr: string
    }
  | { kind: 'too-long'; vr: string; most: number }

/**
 * The fault of a text as the value of an attribute; undefined when there is none.
 * @param isMultiple the attribute may have several values, which a backslash divides
 */
export function findValueFault(text: string, vr: string, isMultiple = false): ValueFault | undefined {
  if (text === '') return undefined
  const rule = rules[vr]
  if (!rule) return numbersFromText(text, vr) ? undefined : { kind: 'form', vr }
  const isWritable = !unwritable.test(rule.mayBreakLines ? text.replaceAll(lineBreaks, '') : text)
  if (!isWritable || !text.isWellFormed()) return { kind: 'control-character', vr }
  if (hasShortLength(vr) && text.length * MAX_UTF8_BYTES > MAX_SHORT_BYTES) {
    return { kind: 'too-long', vr, most: Math.min(rule.maxChars, Math.floor(MAX_SHORT_BYTES / MAX_UTF8_BYTES)) }
  }
  const values = rule.isOne ? [text] : text.split('\\')
  if (values.length > 1 && !isMultiple) return { kind: 'several-values', vr }
  const fault = values.map((value) => faultOfOne(value, vr, rule)).find((one) => one !== undefined)
  // the last: stored corrections with such a character leave, those with any other fault do not
  return fault ?? (hasUnreadCharacter(text) ? { kind: 'unread-character', vr } : undefined)
}

function faultOfOne(value: string, vr: string, { maxChars, fits }: Rule): ValueFault | undefined {
  if (value === '') return undefined
  if (vr === 'PN') return faultOfName(value)
  if (fits && !fits(value)) return { kind: 'form', vr }
  return countChars(value) > maxChars ? { kind: 'too-long', vr, most: maxChars } : undefined
}

/** Up to three component groups of up to five components, each group up to 64 characters. Source: PS3.5 §6.2.1.2. */
function faultOfName(name: string): ValueFault | undefined {
  const groups = name.split('=')
  if (groups.length > 3) return { kind: 'component-groups', vr: 'PN' }
  if (groups.some((group) => group.split('^').length > 5)) return { kind: 'components', vr: 'PN' }
  return groups.some((group) => countChars(group) > MAX_GROUP_CHARS)
    ? { kind: 'too-long', vr: 'PN', most: MAX_GROUP_CHARS }
    : undefined
}

/** The fault in words that follow the name of the field. */
export function describeValueFault(fault: ValueFault): string {
  switch (fault.kind) {
    case 'several-values':
      return 'a backslash would divide it into several values'
    case 'control-character':
      return 'it has a line break or a character that cannot be shown'
    case 'unread-character':
      return 'it has a character that could not be read, shown as \ufffd'
    case 'component-groups':
      return 'a name has at most three component groups, with = between them'
    case 'components':
      return 'a component group of a name has at most five components, with ^ between them'
    case 'too-long':
      return `${fault.vr === 'PN' ? 'a component group of a name' : 'it'} has at most ${fault.most} characters`
    case 'form':
      return `it has not the form of ${forms[fault.vr] ?? fault.vr}`
  }
}

const forms: Record<string, string> = {
  AE: 'an AE title',
  AS: 'an age, e.g. 034Y, 018M, 003W or 010D',
  CS: 'a code of capital letters, digits, blanks and underscores',
  DA: 'a date, YYYYMMDD',
  DS: 'a decimal number of at most 16 characters',
  DT: 'a date with time, YYYYMMDDHHMMSS',
  IS: 'a whole number',
  TM: 'a time, HHMMSS',
  UI: 'a UID',
  UR: 'an address',
}

/**
 * A text, its values joined by backslashes, as what an element of this VR holds; undefined when the VR cannot hold it.
 * Nothing is held by every VR, and only that by one of bytes or items.
 */
export function valueFromText(text: string, vr: string): WriteValue | undefined {
  if (text === '') return new Uint8Array()
  if (rules[vr]) return findValueFault(text, vr, true) ? undefined : text
  return numbersFromText(text, vr)
}

/** Whether values of a VR can be written as text. */
export function holdsText(vr: string): boolean {
  return vr in rules || vr in integers || vr === 'FL' || vr === 'FD'
}

function numbersFromText(text: string, vr: string): WriteValue | undefined {
  const parts = text.split('\\')
  if (vr === 'FL' || vr === 'FD') {
    const holds = (part: string) => vr === 'FD' || Number.isFinite(Math.fround(Number(part)))
    return parts.every((part) => isFiniteDecimal(part) && holds(part)) ? parts.map(Number) : undefined
  }
  const range = integers[vr]
  if (!range || !parts.every((part) => /^[+-]?\d{1,20}$/.test(part))) return undefined
  const numbers = parts.map(BigInt)
  return numbers.every((number) => number >= range[0] && number <= range[1]) ? numbers : undefined
}

function countChars(text: string): number {
  return [...text].length
}
