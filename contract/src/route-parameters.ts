import * as z from 'zod/mini'

/**
 * A parameter in the query of a route: how its text is read, and the way it is shown on the API page. A value that cannot
 * be read has the words of the refusal in its issue.
 */
interface RouteParameter<Value = unknown> {
  schema: z.ZodMiniType<Value>
  /** JSON Schema of the text on the wire. */
  json: Readonly<Record<string, unknown>>
  says: string
  example?: string
}

export type RouteParameters = Readonly<Record<string, RouteParameter>>

/** The values of a query, as its parameters read them. */
export type QueryOf<Parameters extends RouteParameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends RouteParameter<infer Value> ? Value : never
}

/** A flag of a query: `1`, or `true` as some clients write it. */
export function isSet(sent: unknown): boolean {
  return sent === '1' || textOf(sent)?.toLowerCase() === 'true'
}

/** A flag that is taken back: `0`, or `false`. */
function isUnset(sent: unknown): boolean {
  return sent === '0' || textOf(sent)?.toLowerCase() === 'false'
}

const flagJson = { type: 'string', enum: ['0', '1'] }

/** Off unless it is set. */
export const flagParameter = (says: string) =>
  reading(isSet, { json: { ...flagJson, default: '0' }, says, example: '1' })

/** On unless it is taken back. */
export const flagOfDefault = (says: string) =>
  reading((sent) => !isUnset(textOf(sent)?.trim()), { json: { ...flagJson, default: '1' }, says, example: '0' })

/** Off unless it is `1`, and nothing else. */
export const strictFlag = (says: string) =>
  reading((sent) => sent === '1', { json: { type: 'string', enum: ['1'] }, says, example: '1' })

/** Any text; undefined where the parameter is not sent. */
export const textParameter = (says: string, example: string, more: Readonly<Record<string, unknown>> = {}) =>
  reading(textOf, { json: { type: 'string', ...more }, says, example })

/** A uuid of a row. The server looks for whatever is sent, and finds nothing of another form. */
export const uuid = (says: string) => textParameter(says, '3f2a5c60-8d1b-4e07-9a55-0c7d1e2f3a4b', { format: 'uuid' })

const uidJson = { pattern: String.raw`^[0-9.]{1,64}$` }
const exampleUid = '1.2.840.113619.2.55.3.1'

/** A UID of DICOM. */
export const uid = (says: string) => textParameter(says, exampleUid, uidJson)

/** UIDs by commas; undefined where none is sent. */
export const uids = (says: string) =>
  reading((sent) => (textOf(sent) || undefined)?.split(','), {
    json: { type: 'string' },
    says: `${says}, by commas`,
    example: `${exampleUid},1.2.840.113619.2.55.3.2`,
  })

/** Uuids of rows by commas, each once; undefined where none is sent. */
export const uuids = (says: string) =>
  reading(
    (sent) => {
      const named = (textOf(sent) ?? '').split(',').filter((one) => one !== '')
      return named.length === 0 ? undefined : [...new Set(named)]
    },
    { json: { type: 'string' }, says: `${says}, by commas`, example: '3f2a5c60-8d1b-4e07-9a55-0c7d1e2f3a4b' },
  )

/** Bits a pixel: `8` or `16`; anything else is the default. */
export const depth = <const Otherwise extends 8 | 16>(otherwise: Otherwise) => {
  const other = otherwise === 8 ? 16 : 8
  return reading((sent): 8 | 16 => (sent === String(other) ? other : otherwise), {
    json: { type: 'string', enum: ['8', '16'], default: String(otherwise) },
    says: 'bits a pixel',
    example: String(other),
  })
}

/** A parameter whose text `read` understands. @param read throws Unreadable */
export function reading<Value>(
  read: (sent: unknown) => Value,
  shown: Pick<RouteParameter, 'json' | 'says'> & { example: string },
): RouteParameter<Value> {
  const schema = z.pipe(
    z.unknown(),
    z.transform((sent, context): Value => {
      try {
        return read(sent)
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        context.issues.push({ code: 'custom', input: sent, message: error.message })
        return z.NEVER
      }
    }),
  )
  return { schema, ...shown }
}

/** A value that a parameter cannot be; the message is for people. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** The text of a parameter that was sent once. */
export function textOf(sent: unknown): string | undefined {
  return typeof sent === 'string' ? sent : undefined
}

/** Reads the parameters of a query. @returns the values, or the words of the first one that cannot be read */
export function readQuery<Parameters extends RouteParameters>(
  parameters: Parameters,
  sent: Readonly<Record<string, unknown>>,
): { values: QueryOf<Parameters> } | { refusal: string } {
  const values: Record<string, unknown> = {}
  for (const [name, { schema }] of Object.entries(parameters)) {
    const read = schema.safeParse(sent[name])
    if (!read.success) return { refusal: read.error.issues[0]?.message ?? `${name} cannot be read` }
    values[name] = read.data
  }
  return { values: values as QueryOf<Parameters> }
}
