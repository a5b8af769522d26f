import { mailLabels } from './mail-labels.ts'

export interface MailText {
  subject: string
  /** With `secretMark` where the secret goes. */
  body: string
}

/** Stands in a mail's text for its secret, which is sealed apart. */
export const secretMark = '{secret}'

type Labels = typeof mailLabels
type RawKey = keyof Labels
type Base<Key> = Key extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : Key
type Slots<Text> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | Slots<Rest> : never
type TextOf<Key extends string> = Key extends RawKey
  ? Labels[Key]
  : `${Key}_other` extends RawKey
    ? Labels[`${Key}_other`]
    : never
type Values<Key extends string> = [Exclude<Slots<TextOf<Key>>, 'secret'>] extends [never]
  ? []
  : [Record<Exclude<Slots<TextOf<Key>>, 'secret'>, string | number>]

/** The name of a mail: the part that the keys of its subject and its body share. */
type MailName = RawKey extends infer Key ? (Key extends `${infer Name}.subject` ? Name : never) : never
/** A paragraph with which bodies end. */
type Paragraph = Extract<RawKey, `asked.${string}`>

const plurals = new Intl.PluralRules('en')

/** Subject and body of a mail by its name, with the values of the body's slots. Subjects have none. */
export function mailOf<Name extends MailName>(name: Name, ...values: Values<`${Name}.body`>): MailText {
  return { subject: mailLabels[`${name}.subject`], body: fill(`${name}.body`, values[0]) }
}

/** A mail with further paragraphs at the end of its body. */
export function withParagraphs({ subject, body }: MailText, ...more: Paragraph[]): MailText {
  return { subject, body: body + more.map((key) => mailLabels[key]).join('') }
}

function fill(key: Base<RawKey>, slots: Readonly<Record<string, string | number>> | undefined): string {
  const all: Readonly<Record<string, string>> = mailLabels
  const form = plurals.select(Number(slots?.['count'] ?? 0))
  const text = all[key] ?? all[`${key}_${form}`] ?? ''
  return text.replace(/\{(\w+)\}/g, (whole, slot: string) => {
    const value = slots?.[slot]
    return value === undefined ? whole : clean(String(value))
  })
}

/**
 * A value as it may stand in a mail: in one line, so that it makes neither a paragraph nor a link of its own, without
 * marks that turn the reading direction, and without the braces that stand around the place of the secret.
 */
function clean(value: string): string {
  return value
    .replaceAll(/[\u061c\u200e\u200f]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069{}]+/gu, ' ')
}

export function fillSecret(body: string, secret: string): string {
  return body.replaceAll(secretMark, () => secret)
}
