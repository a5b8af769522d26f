import { type Act, acts, wordsOfRight } from '@hilum/contract/acts'
import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { storageErrors } from '@hilum/contract/storage-errors'
import { errors } from '@hilum/contract/errors'

import product from '../../../package.json' with { type: 'json' }
import { commonErrorsOf } from '@hilum/contract/route'
import { errorsOf, inputOf, type Json, outputOf } from './describe-call.ts'
import { type DescribedRoute, describedRoutes } from './described-routes.ts'

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
    ...(call.decides ? { 'x-needs-by-part': rightsBy(call.decides) } : {}),
    ...(call.asks ? { 'x-needs-by-case': rightsBy(call.asks) } : {}),
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
function rightsBy(named: Readonly<Record<string, Act>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(named).map(([name, act]) => [name, wordsOfRight(acts[act])]))
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
