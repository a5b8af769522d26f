import type { ReactNode } from 'react'
import { agreedTexts } from './en/agreed-texts.ts'
import { approval } from './en/approval.ts'
import { audit } from './en/audit.ts'
import { connections } from './en/connections.ts'
import { customFields } from './en/custom-fields.ts'
import { destinations } from './en/destinations.ts'
import { downloads } from './en/downloads.ts'
import { exam } from './en/exam.ts'
import { fields } from './en/fields.ts'
import { firstSteps } from './en/first-steps.ts'
import { groups } from './en/groups.ts'
import { keys } from './en/keys.ts'
import { leavers } from './en/leavers.ts'
import { stuck } from './en/stuck.ts'
import { links } from './en/links.ts'
import { locations } from './en/locations.ts'
import { nameless } from './en/nameless.ts'
import { nomination } from './en/nomination.ts'
import { process } from './en/process.ts'
import { requests } from './en/requests.ts'
import { close } from './en/close.ts'
import { organisation } from './en/organisation.ts'
import { outside } from './en/outside.ts'
import { reports } from './en/reports.ts'
import { retrieve } from './en/retrieve.ts'
import { retention } from './en/retention.ts'
import { retract } from './en/retract.ts'
import { roles } from './en/roles.ts'
import { screens } from './en/screens.ts'
import { routing } from './en/routing.ts'
import { search } from './en/search.ts'
import { security } from './en/security.ts'
import { signInProvider } from './en/sign-in-provider.ts'
import { send } from './en/send.ts'
import { merge } from './en/merge.ts'
import { separation } from './en/separation.ts'
import { session } from './en/session.ts'
import { settingsLabels } from './en/settings.ts'
import { share } from './en/share.ts'
import { shell } from './en/shell.ts'
import { system } from './en/system.ts'
import { studies } from './en/studies.ts'
import { twoFactor } from './en/two-factor.ts'
import { upload } from './en/upload.ts'
import { users } from './en/users.ts'
import { worklist } from './en/worklist.ts'

/** Flat keys, `{slot}` for what is put in, plural forms by the suffixes `_one` and `_other`: the JSON shape that translation tools know. */
const english = {
  ...shell,
  ...security,
  ...session,
  ...signInProvider,
  ...settingsLabels,
  ...screens,
  ...studies,
  ...system,
  ...search,
  ...exam,
  ...send,
  ...merge,
  ...separation,
  ...share,
  ...agreedTexts,
  ...approval,
  ...audit,
  ...connections,
  ...customFields,
  ...destinations,
  ...retention,
  ...retract,
  ...downloads,
  ...fields,
  ...firstSteps,
  ...groups,
  ...keys,
  ...leavers,
  ...stuck,
  ...links,
  ...locations,
  ...nameless,
  ...nomination,
  ...close,
  ...organisation,
  ...outside,
  ...process,
  ...reports,
  ...roles,
  ...routing,
  ...twoFactor,
  ...requests,
  ...retrieve,
  ...upload,
  ...users,
  ...worklist,
} as const

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

type Texts = Readonly<Record<string, string>>
let texts: Texts = english
let plurals = new Intl.PluralRules('en')

/** Puts another catalogue in force for the whole page, before the first render. */
export function setCatalogue(language: string, catalogue: Texts): void {
  texts = catalogue
  plurals = new Intl.PluralRules(language)
  document.documentElement.lang = language
}

/** The English catalogue, for making another from it. */
export const englishTexts: Texts = english

/** Marks that turn the reading direction of all that follows (Unicode TR 9). */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * The text of a key with its slots filled. Numbers are written as they come: format them first where they can be large.
 * Values lose their marks of direction, which would turn the sentence around them.
 */
export function t<Key extends LabelKey>(key: Key, ...values: Values<Key, string | number>): string {
  const slots = values[0] as Record<string, string | number> | undefined // typed by the signature; loose here
  return find(key, slots).replace(/\{(\w+)\}/g, (whole, slot: string) =>
    slots?.[slot] === undefined ? whole : String(slots[slot]).replaceAll(directionMarks, ''),
  )
}

/** As `t`, with elements in the slots: the sentence stays one key even where a part of it is bold or a link. */
export function tRich<Key extends LabelKey>(key: Key, ...values: Values<Key, ReactNode>): ReactNode[] {
  const slots = values[0] as Record<string, ReactNode> | undefined // typed by the signature; loose here
  return find(key, slots)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (slots?.[part] ?? `{${part}}`)))
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
