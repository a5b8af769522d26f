import { findEntry, findTagByKeyword } from '@hilum/dicom/dictionary'
import type { DicomJson, JsonPersonName, JsonValue } from '@hilum/dicom/json'
import { foldText } from '@hilum/dicom/person-name'
import { parseTag, tagToHex } from '@hilum/dicom/tags'

/** A key that no index serves: it is matched against what the header of a match says. */
export interface HeaderKey {
  /** Tags from the outside to the inside, as eight hex digits: one, or that of a sequence and one of its items. */
  path: readonly string[]
  name: string
  isMet: (json: DicomJson) => boolean
}

const textVrs = new Set('AE AS CS DS IS LO LT SH ST UC UI UR UT'.split(' '))
const numberVrs = new Set('FD FL SL SS SV UL US UV'.split(' '))
const rangeForms: Readonly<Record<string, RegExp>> = {
  DA: /^\d{8}$/,
  TM: /^\d{2}(\d{2}(\d{2}(\.\d{1,6})?)?)?$/,
  DT: /^\d{4,14}(\.\d{1,6})?$/,
}

/**
 * A key by keyword or tag, or that of an attribute of a sequence behind a dot.
 * @returns undefined when it names no attribute, or one that cannot be matched; the reason in words for a value that is none
 * Source: PS3.18 §8.3.4.1, PS3.4 C.2.2.2.
 */
export function readHeaderKey(name: string, value: string): HeaderKey | { reason: string } | undefined {
  const tags = name.split('.').map((word) => parseTag(word) ?? findTagByKeyword(word))
  const entries = tags.map((tag) => (tag === undefined ? undefined : findEntry(tag)))
  const last = entries.at(-1)
  if (!last || tags.length > 2 || (tags.length === 2 && entries[0]?.vr !== 'SQ')) return undefined
  const test = testOf(last.vr, value)
  if (test === undefined) return undefined
  if (test === 'unreadable') return { reason: `${last.keyword} takes a ${describe(last.vr)}` }
  const path = entries.map((entry) => tagToHex(entry?.tag ?? 0))
  return { path, name, isMet: (json) => valuesAt(json, path).some(test) }
}

type Test = (value: JsonValue) => boolean

function testOf(vr: string, value: string): Test | 'unreadable' | undefined {
  const form = rangeForms[vr]
  if (form) return rangeTest(form, value)
  if (numberVrs.has(vr) || vr === 'IS' || vr === 'DS') {
    const number = Number(value)
    return Number.isFinite(number) ? (held) => Number(held) === number : 'unreadable'
  }
  if (vr === 'PN') {
    const matches = wildcardTest(foldText(value))
    return (held) => Object.values((held ?? {}) as JsonPersonName).some((group) => matches(foldText(group ?? '')))
  }
  if (vr === 'UI') {
    const wanted = new Set(value.split(/[\\,]/).map((one) => one.trim()))
    return (held) => wanted.has(String(held))
  }
  if (!textVrs.has(vr)) return undefined
  const matches = wildcardTest(value.toLowerCase())
  return (held) => matches(String(held).toLowerCase())
}

function rangeTest(form: RegExp, value: string): Test | 'unreadable' {
  const bounds = value.split('-').map((one) => one.trim())
  const [from = '', until] = bounds
  if (bounds.length > 2 || bounds.every((one) => one === '') || bounds.some((one) => one !== '' && !form.test(one)))
    return 'unreadable'
  if (until === undefined) return (held) => String(held).startsWith(from)
  return (held) => {
    const text = String(held)
    return text >= from && (until === '' || text.slice(0, until.length) <= until)
  }
}

/** `*` for any characters and `?` for one; in time of the two lengths multiplied at most, whatever the pattern. */
function wildcardTest(pattern: string): (text: string) => boolean {
  const wanted = Array.from(pattern)
  return (value) => {
    const text = Array.from(value)
    let [at, place] = [0, 0]
    let star: { at: number; place: number } | undefined
    while (at < text.length) {
      if (wanted[place] === '*') {
        star = { at, place }
        place += 1
      } else if (wanted[place] === '?' || wanted[place] === text[at]) {
        at += 1
        place += 1
      } else if (star) {
        // the run of characters that the last star stands for grows by one
        star.at += 1
        at = star.at
        place = star.place + 1
      } else return false
    }
    return wanted.slice(place).every((one) => one === '*')
  }
}

function valuesAt(json: DicomJson, [first = '', ...rest]: readonly string[]): JsonValue[] {
  const values = json[first]?.Value ?? []
  return rest.length === 0 ? values : values.flatMap((item) => valuesAt(item as DicomJson, rest))
}

function describe(vr: string): string {
  const forms: Readonly<Record<string, string>> = {
    DA: 'date YYYYMMDD or a range of two',
    TM: 'time HHMMSS or a range of two',
    DT: 'date and time YYYYMMDDHHMMSS or a range of two',
  }
  return forms[vr] ?? 'number'
}
