import type { ReactNode } from 'react'
import { english } from './english.ts'

type Catalogue = typeof english
type RawKey = keyof Catalogue
type Base<Key> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key
type Slots<Text> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never
type TextOf<Key extends string> = Key extends RawKey
  ? Catalogue[Key]
  : `${Key}_other` extends RawKey
    ? Catalogue[`${Key}_other`]
    : never
type Values<Key extends string, Value> = [Slots<TextOf<Key>>] extends [never] ? [] : [Record<Slots<TextOf<Key>>, Value>]

/** The name of a text. Plural pairs are named without their suffix and need the slot `count`. */
export type LabelKey = Base<RawKey>

/** The wording of a text in the language of the page. */
type Wording = (english: string) => string

const texts: Record<string, string> = { ...english }
let wordingOf: Wording = (text) => text
let plurals = new Intl.PluralRules('en')
let grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 20 })

/** Puts another wording in force for the whole page, before the first render. */
export function setWording(language: string, wording: Wording): void {
  wordingOf = wording
  plurals = new Intl.PluralRules(language)
  grouped = new Intl.NumberFormat(language, { maximumFractionDigits: 20 })
  document.documentElement.lang = language
  addTexts(english)
}

/** Takes in texts that the first view does not need, and that come with the screens that do (`web/first-view.mjs`). */
export function addTexts(more: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(more)) texts[key] = wordingOf(text)
}

/** Marks that turn the reading direction of all that follows (Unicode TR 9). */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * The text of a key with its slots filled. Thousands of numbers are grouped as the language does, but where the slot is a
 * name in digits. Values lose their marks of direction, which would turn the sentence around them.
 */
export function t<Key extends LabelKey>(key: Key, ...values: Values<Key, string | number>): string {
  const slots = values[0] as Record<string, string | number> | undefined // typed by the signature; loose here
  return find(key, slots).replace(/\{(\w+)\}/g, (whole, slot: string) =>
    slots?.[slot] === undefined ? whole : inWords(slot, slots[slot]).replaceAll(directionMarks, ''),
  )
}

/** Slots whose numbers count nothing: they stand as they are written elsewhere. */
const namesInDigits: ReadonlySet<string> = new Set(['code', 'number', 'port'])

function inWords(slot: string, value: string | number): string {
  return typeof value !== 'number' || namesInDigits.has(slot) ? String(value) : grouped.format(value)
}

/** As `t`, with elements in the slots: the sentence stays one key even where a part of it is bold or a link. */
export function tRich<Key extends LabelKey>(key: Key, ...values: Values<Key, ReactNode>): ReactNode[] {
  const slots = values[0] as Record<string, ReactNode> | undefined // typed by the signature; loose here
  return find(key, slots)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : slotNode(part, slots?.[part])))
}

function slotNode(slot: string, value: ReactNode): ReactNode {
  return typeof value === 'number' ? inWords(slot, value) : (value ?? `{${slot}}`)
}

/** True when the catalogue in force has this key: for texts that are looked up by a code from the server. */
export function hasLabel(key: string): key is LabelKey {
  return key in texts || `${key}_other` in texts
}

function find(key: string, slots: Record<string, unknown> | undefined): string {
  const plain = texts[key]
  if (plain !== undefined) return plain
  const form = plurals.select(Number(slots?.['count'] ?? 0))
  return texts[`${key}_${form}`] ?? texts[`${key}_other`] ?? key
}
