import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { commonErrors, errors, listErrors } from '@hilum/contract/errors'
import { conditions, maxRows } from '@hilum/contract/list'
import { wireShapes } from '@hilum/contract/wire'
import * as z from 'zod/mini'

import product from '../../../package.json' with { type: 'json' }

type Json = Record<string, unknown>

/** The calls as an OpenAPI 3.1 document, made from their declarations alone. */
export function describeApi(): Json {
  const all = Object.values(calls) as unknown as AnyCall[]
  const paths = Object.fromEntries(all.map((call) => [`/${call.path}`, describePath(call)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hilum',
      version: product.version,
      description:
        'Every call takes GET with a query, POST with a form or POST with JSON, with the same parameters; some take POST only. The session token goes as parameter sid or as a bearer token. Business errors are 412 with error_type.',
    },
    servers: [{ url: '/api/v3' }],
    components: { securitySchemes: { sid: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

function describePath(call: AnyCall): Json {
  const input = inputOf(call)
  const operation = {
    summary: call.summary,
    tags: [call.path.split('/')[0]],
    security: call.on.kind === 'anyone' ? [] : [{ sid: [] }],
    ...(call.ours ? { 'x-ours': true } : {}),
    ...('needs' in call.on && call.on.needs.length > 0 ? { 'x-needs-one-of': call.on.needs } : {}),
    responses: {
      '200': { description: 'Done', content: { 'application/json': { schema: outputOf(call) } } },
      '401': { description: 'No live session' },
      '412': { description: `Refused: ${errorsOf(call).join(', ')}` },
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
  return { get: { ...operation, operationId: `${name}_get`, parameters }, post }
}

/** The declared input and, of a list, its filters, sort, pages and fields. */
function inputOf(call: AnyCall): Json {
  const made = jsonOf(call.input, 'input')
  const shape = 'shape' in call.input ? (call.input.shape as Record<string, z.ZodMiniType>) : {}
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.def.type !== 'optional')
  return {
    type: 'object',
    properties: { ...(made.properties as Json | undefined), ...listInputOf(call) },
    required,
  }
}

function listInputOf(call: AnyCall): Json {
  if (!call.list) return {}
  const { filters, sorts, defaultRows, object } = call.list
  const names = Object.keys(filters)
  return {
    ...(names.length > 0
      ? {
          'filter.FIELD.CONDITION': {
            type: 'string',
            description: `FIELD: ${names.join(', ')}. CONDITION: ${conditions.join(', ')}; lists as JSON.`,
          },
        }
      : {}),
    ...(sorts.length > 0
      ? {
          sort_by: {
            type: 'string',
            description: `FIELD-asc or FIELD-desc, several by commas; FIELD: ${sorts.join(', ')}.`,
          },
        }
      : {}),
    'page.rows': { type: 'integer', minimum: 1, maximum: maxRows, default: defaultRows },
    'page.number': { type: 'integer', minimum: 1, default: 1 },
    [`fields.${object}`]: { type: 'string', description: 'A JSON list of the fields to give back.' },
  }
}

function outputOf(call: AnyCall): Json {
  const made = jsonOf(call.output, 'output')
  return { ...made, properties: { status: { type: 'string', const: 'OK' }, ...(made.properties as Json | undefined) } }
}

/** The codes that a call declares and those that any call of its kind may give. */
export function errorsOf(call: AnyCall): (keyof typeof errors)[] {
  return [...new Set([...call.errors, ...commonErrors, ...(call.list ? listErrors : [])])].sort()
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
