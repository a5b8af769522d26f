import { parseDate } from './dates.ts'
import { hasShortLength } from './elements.ts'
import { isStandardUid } from './uid.ts'
import type { WriteValue } from './write-part10.ts'

/** Bytes that a VR with a short length holds; text takes at most four for a character. */
const MAX_SHORT_BYTES = 0xfffe
const MAX_UTF8_BYTES = 4

type Rule = { maxChars: number; isOne?: boolean; mayBreakLines?: boolean; fits?: (value: string) => boolean }

const pattern = (shape: RegExp) => (value: string) => shape.test(value)
const isDecimal = pattern(/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/)
const UNLIMITED = Number.POSITIVE_INFINITY

/** What one value of a text VR may be. Source: PS3.5 table 6.2-1. */
const rules: Record<string, Rule> = {
  AE: { maxChars: 16, fits: pattern(/^[ -~]*$/) },
  AS: { maxChars: 4, fits: pattern(/^\d{3}[DWMY]$/) },
  CS: { maxChars: 16, fits: pattern(/^[A-Z0-9 _]*$/) },
  DA: { maxChars: 8, fits: (value) => /^\d{8}$/.test(value) && parseDate(value)?.day !== undefined },
  DS: { maxChars: 16, fits: isDecimal },
  DT: { maxChars: 26, fits: pattern(/^(\d{4}|\d{6}|\d{8}|\d{10}|\d{12}|\d{14}(\.\d{1,6})?)([+-]\d{4})?$/) },
  IS: { maxChars: 12, fits: (value) => /^[+-]?\d+$/.test(value) && Number(value) === (Number(value) | 0) },
  LO: { maxChars: 64 },
  LT: { maxChars: 10_240, isOne: true, mayBreakLines: true },
  PN: { maxChars: UNLIMITED, fits: isPersonName },
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
 * A text, its values joined by backslashes, as what an element of this VR holds; undefined when the VR cannot hold it.
 * Nothing is held by every VR, and only that by one of bytes or items.
 */
export function valueFromText(text: string, vr: string): WriteValue | undefined {
  if (text === '') return new Uint8Array()
  const rule = rules[vr]
  if (rule) return fitsRule(text, vr, rule) ? text : undefined
  const parts = text.split('\\')
  if (vr === 'FL' || vr === 'FD') {
    return parts.every((part) => isDecimal(part) && Number.isFinite(Number(part))) ? parts.map(Number) : undefined
  }
  const range = integers[vr]
  if (!range || !parts.every((part) => /^[+-]?\d{1,20}$/.test(part))) return undefined
  const numbers = parts.map((part) => BigInt(part.replace(/^\+/, '')))
  return numbers.every((number) => number >= range[0] && number <= range[1]) ? numbers : undefined
}

function fitsRule(text: string, vr: string, { maxChars, isOne, mayBreakLines, fits }: Rule): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  const forbidden = mayBreakLines ? /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/ : /[\u0000-\u001f\u007f]/
  if (forbidden.test(text) || !text.isWellFormed()) return false
  if (hasShortLength(vr) && text.length * MAX_UTF8_BYTES > MAX_SHORT_BYTES) return false
  const values = isOne ? [text] : text.split('\\')
  return values.every((value) => value === '' || (countChars(value) <= maxChars && (fits?.(value) ?? true)))
}

/** Up to three component groups of up to five components, each group up to 64 characters. */
function isPersonName(name: string): boolean {
  const groups = name.split('=')
  return groups.length <= 3 && groups.every((group) => countChars(group) <= 64 && group.split('^').length <= 5)
}

function countChars(text: string): number {
  return [...text].length
}
