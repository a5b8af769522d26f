import { parseBoundedJson } from './bounded-json.ts'
import { hasHiddenSign } from './hidden-signs.ts'
import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'

/*
 * Values of the wire. A call may come as query text, form text or JSON, so every type reads both the text and the
 * typed form. A value that cannot be read carries its error code in the issue's `params.code`.
 */

/** The form of UUIDs in addresses and values, as PostgreSQL reads it. */
export const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** JSON Schema of the wire's values as a client sees them, for the API page. */
export const wireShapes = z.registry<{ json: Record<string, unknown> }>()

/** @param refuse the code of a value that was read and is not taken */
function read<T>(
  parse: (value: unknown) => T | undefined,
  code: ErrorCode,
  json: Record<string, unknown>,
  refuse?: (parsed: T) => ErrorCode | undefined,
) {
  const schema = z.pipe(
    z.unknown(),
    z.transform((value, context): T => {
      const parsed = value === undefined || value === null ? undefined : parse(value)
      const fault = parsed === undefined ? code : refuse?.(parsed)
      if (parsed !== undefined && !fault) return parsed
      context.issues.push({ code: 'custom', input: value, message: fault ?? code, params: { code: fault ?? code } })
      return z.NEVER
    }),
  )
  wireShapes.add(schema, { json })
  return schema
}

const refuseHidden = (sent: string) => (hasHiddenSign(sent) ? 'INVALID_FIELD' : undefined)
/**
 * Text that must be there and not be empty, without signs that nobody sees. Of a repeated form key the first value
 * counts.
 */
export const text = () =>
  read((v) => toText(v) || undefined, 'MISSING_FIELDS', { type: 'string', minLength: 1 }, refuseHidden)
/** As `text`, and it may be empty: an empty string clears the field. */
export const clearableText = () => read(toText, 'INVALID_FIELD', { type: 'string' }, refuseHidden)
/** As `text`, with any sign: passwords, and what is compared with values that came from elsewhere. */
export const anyText = () => read((v) => toText(v) || undefined, 'MISSING_FIELDS', { type: 'string', minLength: 1 })
/** As `anyText`, and it may be empty. */
export const clearableAnyText = () => read(toText, 'INVALID_FIELD', { type: 'string' })
declare const namesRow: unique symbol
/** A field that names a row. The walk over permissions needs a foreign row for each, or it does not compile. */
export type NamesRow = { readonly [namesRow]: true }
/** Marks a field that names a row by something else than a uuid of its own. */
export const naming = <S extends z.ZodMiniType>(schema: S) => schema as S & NamesRow

/** A uuid of ours. Anything else cannot be found. */
export const id = () =>
  naming(
    read((v) => (uuidForm.test(toText(v) ?? '') ? toText(v)?.toLowerCase() : undefined), 'NOT_FOUND', {
      type: 'string',
      format: 'uuid',
    }),
  )
/** As `id`; an empty text names none. */
export const idOrNone = () =>
  naming(
    read((v) => (v === '' || uuidForm.test(toText(v) ?? '') ? toText(v)?.toLowerCase() : undefined), 'NOT_FOUND', {
      type: 'string',
    }),
  )
/** 0 or 1, as number or text; the reply of a flag is always a number. */
export const flag = () => read(toFlag, 'INVALID_FLAG', { type: 'integer', enum: [0, 1] })
export const integer = () => read(toInteger, 'INVALID_INTEGER', { type: 'integer' })
/** One of these words; another one is answered with `code`. */
export const oneOf = <const V extends readonly string[]>(values: V, code: ErrorCode) =>
  read((v): V[number] | undefined => values.find((one) => one === toText(v)), code, {
    type: 'string',
    enum: [...values],
  })
/** JSON, either typed already or as text inside a form field. */
export const json = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    read((v) => (typeof v === 'string' ? parseJson(v) : v), 'INVALID_JSON', {}),
    schema,
  )
/** As `json`, of an object alone. */
export const hash = <S extends z.ZodMiniType>(schema: S) =>
  z.pipe(
    read(
      (v) => (typeof v === 'string' ? parseJson(v) : v),
      'INVALID_JSON',
      {},
      (parsed) => (typeof parsed !== 'object' || Array.isArray(parsed) ? 'NOT_HASH' : undefined),
    ),
    schema,
  )
/** Fields of what is changed as they were read, those that concern the caller: a change by somebody else meanwhile answers STALE. Ours. */
export const seen = () => z.optional(json(z.record(z.string(), z.unknown())))
/** A list of texts, typed or as JSON text. */
export const textList = () =>
  read(
    (v) => {
      const list = typeof v === 'string' ? parseJson(v) : v
      return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined
    },
    'INVALID_JSON',
    { type: 'array', items: { type: 'string' } },
  )

/** The reply of calls that only say that it was done. */
export const statusOnly = z.looseObject({})
/**
 * Pages of a reply (`api-facts` §1.2): `rows` is the number that was asked for, `total` counts the rows of all pages.
 * A list of studies, which may be millions, tells its total on the last page, and on others when `page.total=1` asks.
 */
export const page = z.object({
  more: z.number(),
  rows: z.number(),
  number: z.number(),
  total: z.optional(z.number()),
})

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return toText(value[0])
  return undefined
}
function toFlag(value: unknown): 0 | 1 | undefined {
  const sent = toText(value)
  if (sent === '1' || sent === 'true') return 1
  if (sent === '0' || sent === 'false' || sent === '') return 0
  return undefined
}
function toInteger(value: unknown): number | undefined {
  const sent = toText(value)?.trim()
  return sent && /^-?\d{1,15}$/.test(sent) ? Number(sent) : undefined
}
function parseJson(sent: string): unknown {
  try {
    return parseBoundedJson(sent)
  } catch {
    return undefined // the caller of the reader turns this into INVALID_JSON
  }
}
