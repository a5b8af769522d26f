import { type Act, acts, wordsOfRight } from '@hilum/contract/acts'
import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { commonErrors, errors, listErrors } from '@hilum/contract/errors'
import { conditions, maxRows } from '@hilum/contract/list'
import { storageErrors } from '@hilum/contract/storage-errors'
import { wireShapes } from '@hilum/contract/wire'
import * as z from 'zod/mini'

import product from '../../../package.json' with { type: 'json' }
import { commonErrorsOf } from '@hilum/contract/route'
import { type DescribedRoute, describedRoutes } from './described-routes.ts'

type Json = Record<string, unknown>

const prefixed = { url: '/api/v3' }
const unprefixed = { url: '/' }
const ofUnprefixed = [unprefixed]

/** All that the server answers, as an OpenAPI 3.1 document: the calls from their declarations, the other routes from theirs. */
export function describeApi(): Json {
  const all = Object.values(calls) as unknown as AnyCall[]
  const paths: Record<string, Json> = Object.fromEntries(all.map((call) => [`/${call.path}`, describePath(call)]))
  for (const described of describedRoutes) {
    const path = openPath(described.route.path)
    const known = paths[path]
    const made = describeRoute(described)
    // GET and DELETE of one path are two declarations, and so is one door with and without the prefix
    const isTwice = known && known.servers !== made.servers
    paths[path] = { ...made, ...known, ...(isTwice ? { servers: [prefixed, unprefixed] } : {}) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hilum',
      version: product.version,
      description:
        'Every call takes GET with a query, POST with a form or POST with JSON, with the same parameters; some take POST only. The session token goes as parameter sid or as a bearer token. Business errors are 412 with error_type. Calls that write refuse parameters that they do not know; calls that only read pass them over.',
    },
    servers: [prefixed],
    components: {
      securitySchemes: { sid: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } },
      schemas: { Refusal: refusal, StorageFailure: storageFailure },
    },
    paths,
  }
}

function describePath(call: AnyCall): Json {
  const input = inputOf(call)
  const operation = {
    summary: call.summary,
    tags: [call.path.split('/')[0]],
    security: call.on.kind === 'anyone' ? [] : [{ sid: [] }, { basic: [] }],
    ...(call.ours ? { 'x-ours': true } : {}),
    ...('may' in call.on ? { 'x-act': call.on.may, 'x-needs': wordsOfRight(acts[call.on.may]) } : {}),
    ...('mayInPlace' in call.on && call.on.mayInPlace
      ? { 'x-needs-in-place': wordsOfRight(acts[call.on.mayInPlace]) }
      : {}),
    ...(call.decides ? { 'x-needs-by-part': needsByPart(call.decides) } : {}),
    responses: {
      '200': { description: 'Done', content: { 'application/json': { schema: outputOf(call) } } },
      '401': { description: 'No live session' },
      '412': {
        description: `Refused: ${errorsOf(call).join(', ')}`,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Refusal' },
            example: { status: 'ERROR', error_type: 'MISSING_FIELDS', error_subtype: ['uuid'] },
          },
        },
      },
    },
  }
  const name = call.path.replaceAll('/', '_')
  const post = {
    ...operation,
    operationId: name,
    requestBody: {
      content: { 'application/json': { schema: input }, 'application/x-www-form-urlencoded': { schema: input } },
    },
  }
  if (call.postOnly) return { post }
  const properties = input.properties as Record<string, Json>
  const required = new Set(input.required as string[])
  const parameters = Object.entries(properties).map(([key, schema]) => ({
    name: key,
    in: 'query',
    required: required.has(key),
    schema,
  }))
  return { get: { ...operation, operationId: `get_${name}`, parameters }, post }
}

/** Rights that parts of the input take besides. */
function needsByPart(decides: Readonly<Record<string, Act>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(decides).map(([part, act]) => [part, wordsOfRight(acts[act])]))
}

/** The declared input and, of a list, its filters, sort, pages and fields. */
export function inputOf(call: AnyCall): Json {
  const made = jsonOf(call.input, 'input')
  const shape = 'shape' in call.input ? (call.input.shape as Record<string, z.ZodMiniType>) : {}
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.def.type !== 'optional')
  return {
    type: 'object',
    properties: { ...(made.properties as Json | undefined), ...listInputOf(call), ...topFields },
    required,
    ...(call.reads ? {} : { additionalProperties: false }),
    ...(call.takesCustomFields
      ? {
          patternProperties: {
            '^customfield-': { type: 'string', description: 'A value of a custom field, by its uuid.' },
          },
        }
      : {}),
    ...(call.takesPermissions
      ? { patternProperties: { '^permission_': { description: 'A single permission of the role, by its name.' } } }
      : {}),
    ...(call.takesSettings
      ? { patternProperties: { '^setting_': { type: 'string', description: 'A single setting, by its name.' } } }
      : {}),
  }
}

function listInputOf(call: AnyCall): Json {
  if (!call.list) return {}
  const { filters, sorts, defaultRows, object, isCount, isReport, customFields } = call.list
  const hasRows = !isCount && !isReport
  const byField = customFields ? ['customfield-UUID'] : []
  const names = [...Object.entries(filters).map(([name, kind]) => `${name} (${kind})`), ...byField]
  return {
    ...(names.length > 0
      ? {
          'filter.FIELD.CONDITION': {
            type: 'string',
            description: `FIELD: ${names.join(', ')}. CONDITION: ${conditions.join(', ')}; lists of in and in_or_null as JSON.`,
            example: 'filter.patient_name.like=%doe%',
          },
        }
      : {}),
    ...(sorts.length > 0 && !isCount
      ? {
          sort_by: {
            type: 'string',
            description: `FIELD-asc or FIELD-desc, several by commas; FIELD: ${[...sorts, ...byField].join(', ')}.`,
            example: `${sorts[0]}-desc`,
          },
        }
      : {}),
    ...(names.length > 0
      ? { 'filter.tz': { type: 'string', description: 'Zone of dates: an Olson name.', example: 'Europe/Berlin' } }
      : {}),
    ...(hasRows ? pageInput(defaultRows) : {}),
    ...(!hasRows
      ? {}
      : {
          [`fields.${object}`]: {
            type: 'string',
            description: 'A JSON list of the fields to give back.',
            example: '["uuid"]',
          },
        }),
  }
}

const topFields = {
  'fields._top': { type: 'string', description: 'A JSON list of the top-level fields to give back.' },
}

function pageInput(defaultRows: number): Json {
  return {
    'page.rows': { type: 'integer', minimum: 1, maximum: maxRows, default: defaultRows },
    'page.number': { type: 'integer', minimum: 1, default: 1 },
    'page.total': { type: 'integer', enum: [0, 1], description: 'Count the rows of all pages, even of studies.' },
  }
}

export function outputOf(call: AnyCall): Json {
  const made = jsonOf(call.output, 'output')
  return { ...made, properties: { status: { type: 'string', const: 'OK' }, ...(made.properties as Json | undefined) } }
}

/** The codes that a call declares and those that any call of its kind may give. */
export function errorsOf(call: AnyCall): (keyof typeof errors)[] {
  const unknown = call.reads ? [] : (['INVALID_FIELD'] as const)
  return [...new Set([...call.errors, ...commonErrors, ...unknown, ...(call.list ? listErrors : [])])].sort()
}

function jsonOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const shape = wireShapes.get(zodSchema as unknown as z.ZodMiniType)
      if (shape) Object.assign(jsonSchema, shape.json)
    },
  }) as Json
  return made
}

const refusal = {
  type: 'object',
  required: ['status', 'error_type'],
  properties: {
    status: { const: 'ERROR' },
    error_type: { type: 'string', enum: Object.keys(errors) },
    error_subtype: {
      description: 'What is meant: the missing names, the field, the expression, the record that is there.',
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
    error_data: { description: 'What helps to go on, e.g. the study that exists already.' },
  },
}

const storageFailure = {
  type: 'object',
  properties: {
    kind: {
      type: 'object',
      properties: { code: { type: 'integer' }, readable_status: { type: 'string', enum: Object.keys(storageErrors) } },
    },
    message: { type: 'string' },
    exception_data: { type: 'object', additionalProperties: { type: 'string' } },
    created: { type: 'integer', description: 'Epoch milliseconds.' },
    extended: { type: ['string', 'null'] },
  },
}

/** Of a search, for the API page. */
export const attributesOfSearch =
  'Attributes by keyword or tag of eight digits; * and ? are wildcards, dates are ranges a-b'

/** A path as OpenAPI writes it. Below `/api/v3` it goes without that, as the calls do. */
function openPath(path: string): string {
  return path
    .replace(/^\/api\/v3/, '')
    .replace(/:(\w+)/g, '{$1}')
    .replace(/\*$/, '{rest}')
}

/** The act of a route, where it takes one. */
export function actOf({ on }: DescribedRoute['route']): Act | undefined {
  return 'may' in on ? on.may : undefined
}

/** Whether a route opens without a session; a channel takes one with each subscription. */
export function needsNoSession({ on }: DescribedRoute['route']): boolean {
  return on.kind === 'anyone' || on.kind === 'operator' || on.kind === 'channel'
}

/** The errors of a route, by code or status. */
export function errorsOfRoute({ on, errors }: DescribedRoute['route']): string[] {
  return [...commonErrorsOf(on), ...errors].map(String)
}

function describeRoute({ area, name: declaredName, route }: DescribedRoute): Json {
  const { methods, path, summary, query, headers = {}, body, answer, reply, isSearch } = route
  const act = actOf(route)
  const errors = errorsOfRoute(route)
  const [, status = '200'] = /^(\d{3})/.exec(answer) ?? []
  const inPath = [...openPath(path).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query).map(([name, { json, says, example }]) => ({
    name,
    in: 'query',
    description: says,
    schema: json,
    ...(example === undefined ? {} : { example }),
  }))
  const inHeader = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }))
  const json = { 'application/json': { schema: schemaOf(reply), example: reply } }
  const attributes = {
    name: 'attributes',
    in: 'query',
    description: attributesOfSearch,
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: { PatientName: 'DOE*' },
  }
  const operation = (method: string) => ({
    summary,
    operationId: method === methods[0] ? declaredName : `${declaredName}_${method.toLowerCase()}`,
    tags: [area],
    ...(act ? { 'x-act': act, 'x-needs': wordsOfRight(acts[act]) } : {}),
    security: needsNoSession(route) ? [] : [{ sid: [] }, { basic: [] }],
    parameters: [...inPath, ...inQuery, ...inHeader, ...(isSearch ? [attributes] : [])],
    ...(body && method !== 'GET' && method !== 'HEAD'
      ? { requestBody: { description: body, content: { [mediaTypeOf(body)]: { schema: {} } } } }
      : {}),
    responses: {
      [status]: { description: answer, ...(reply === undefined ? {} : { content: json }) },
      ...(errors.every((code) => /^\d{3}$/.test(code))
        ? Object.fromEntries(errors.map((status) => [status, { description: 'Refused', content: dicomwebFailure }]))
        : {
            default: {
              description: `Refused or failed: ${errors.join(', ')}`,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/StorageFailure' } } },
            },
          }),
    },
  })
  return {
    ...(path.startsWith('/api/v3/') ? {} : { servers: ofUnprefixed }),
    ...Object.fromEntries(methods.map((method) => [method.toLowerCase(), operation(method)])),
  }
}

const dicomwebFailure = {
  'application/json': {
    schema: { type: 'object', properties: { error: { type: 'string', description: 'The reason in words.' } } },
  },
}

/** The JSON Schema of a reply like this one. */
function schemaOf(example: unknown): Json {
  if (Array.isArray(example)) return { type: 'array', items: schemaOf(example[0]) }
  if (typeof example === 'object' && example !== null) {
    const fields = Object.entries(example).map(([name, value]) => [name, schemaOf(value)])
    return { type: 'object', properties: Object.fromEntries(fields) }
  }
  return { type: typeof example === 'number' ? 'integer' : 'string' }
}

function mediaTypeOf(body: string): string {
  return /[a-z]+\/[\w.+-]+/.exec(body)?.[0] ?? '*/*'
}
