import { calls } from '@hilum/contract/calls/all-calls'
import { routes } from '@hilum/contract/routes/all-routes'
import { describe, expect, it } from 'vitest'
import { describeApi } from './describe-api.ts'

/* The document against the rules of OpenAPI 3.1.0 (spec.openapis.org/oas/v3.1.0) that generators of clients break on. */

type Json = Record<string, unknown>
interface Parameter extends Json {
  name: string
  in: string
  required?: boolean
  schema?: Json
  content?: Json
}
interface Operation extends Json {
  operationId?: string
  summary?: string
  parameters?: Parameter[]
  requestBody?: { content: Json }
  responses: Record<string, { description?: string; content?: Record<string, Json> }>
  security: Record<string, string[]>[]
}

// as a client reads it
const document = JSON.parse(JSON.stringify(describeApi())) as {
  openapi: string
  info: Json
  servers: Json[]
  components: { securitySchemes: Json; schemas: Json }
  paths: Record<string, Json>
}

const wordsOf = (text: string) => text.split(' ')
/** Fields of a path item and of an operation that are no extension. */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const ofPath = ['$ref', 'summary', 'description', 'servers', 'parameters', ...methods]
const ofOperation = wordsOf(
  'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
)
const ofParameter = wordsOf(
  'name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content',
)
const unknownOf = (one: object, known: readonly string[]) =>
  Object.keys(one).filter((key) => !known.includes(key) && !key.startsWith('x-'))

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] as Operation }] : [])),
)
const faultsOf = (find: (one: (typeof operations)[number]) => unknown[]) =>
  operations.flatMap((one) => find(one).map((fault) => [one.method, one.path, fault]))

describe('the OpenAPI document', () => {
  it('has its fixed fields, and an operation for every method of every declaration', () => {
    expect(Object.keys(document).toSorted()).toEqual(['components', 'info', 'openapi', 'paths', 'servers'])
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.any(String), version: expect.any(String) },
    })
    const ofCalls = Object.values(calls).reduce((sum, call) => sum + ('postOnly' in call && call.postOnly ? 1 : 2), 0)
    const ofRoutes = Object.values(routes).reduce((sum, route) => sum + route.methods.length, 0)
    // the channel has one operation for its addresses with and without the prefix
    expect(operations).toHaveLength(ofCalls + ofRoutes - 1)
    expect(document.paths['/channel/websocket']?.['servers']).toEqual([{ url: '/api/v3' }, { url: '/' }])
    expect(document.paths['/dicomweb/{namespace}/studies']?.['servers']).toEqual([{ url: '/' }])
    expect(document.paths['/storage/study/{namespace}/{studyUid}']).not.toHaveProperty('servers')
  })

  it('has paths that begin with a slash, no two of which are the same but for the names in them', () => {
    const paths = Object.keys(document.paths)
    expect(paths.filter((path) => !path.startsWith('/') || /[?#]|\/\//.test(path))).toEqual([])
    const shapes = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
    expect(paths.flatMap((path) => unknownOf(document.paths[path] ?? {}, ofPath))).toEqual([])
  })

  it('declares every name of a path as a required parameter, no other, and no parameter twice', () => {
    const faults = faultsOf(({ path, operation: { parameters = [] } }) => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const inPath = parameters.filter((one) => one.in === 'path')
      const keys = parameters.map((one) => `${one.in} ${one.name}`)
      return [
        ...named.filter((name) => !inPath.some((one) => one.name === name && one.required === true)),
        ...inPath.filter((one) => !named.includes(one.name)),
        ...keys.filter((key, index) => keys.indexOf(key) !== index),
        ...parameters.flatMap((one) => unknownOf(one, ofParameter)),
        ...parameters.filter((one) => !['path', 'query', 'header', 'cookie'].includes(one.in)),
        ...parameters.filter((one) => (one.schema === undefined) === (one.content === undefined)),
        // these are said elsewhere in an operation, and a parameter of the name has no meaning
        ...parameters.filter((one) => one.in === 'header' && /^(accept|content-type|authorization)$/i.test(one.name)),
      ]
    })
    expect(faults).toEqual([])
  })

  it('gives every operation an id of its own that is a name in programs', () => {
    const ids = operations.map(({ operation }) => operation.operationId ?? '')
    expect(ids.filter((id) => !/^[a-zA-Z]\w*$/.test(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('gives every operation a summary and responses by status, each with a description', () => {
    const faults = faultsOf(({ method, operation }) => [
      ...unknownOf(operation, ofOperation),
      ...(operation.summary ? [] : ['no summary']),
      ...(Object.keys(operation.responses ?? {}).length > 0 ? [] : ['no response']),
      ...Object.keys(operation.responses).filter((status) => !/^([1-5](\d\d|XX)|default)$/.test(status)),
      ...Object.values(operation.responses).filter((one) => !one.description),
      ...(operation.requestBody && ['get', 'head'].includes(method) ? ['a body without meaning'] : []),
      ...Object.keys(operation.requestBody?.content ?? { 'a/b': {} }).filter(
        (type) => !/^[\w*.+-]+\/[\w*.+-]+$/.test(type),
      ),
    ])
    expect(faults).toEqual([])
    expect(
      faultsOf(({ operation }) =>
        Object.keys(operation.responses)
          .filter((one) => /^[123]/.test(one))
          .slice(1),
      ),
    ).toEqual([])
  })

  it('names no security scheme that it does not define', () => {
    const defined = Object.keys(document.components.securitySchemes)
    const faults = faultsOf(({ operation }) =>
      operation.security.flatMap((one) => Object.keys(one)).filter((name) => !defined.includes(name)),
    )
    expect(faults).toEqual([])
  })

  it('resolves every reference within itself', () => {
    const references: string[] = []
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      const { $ref } = value as Json
      if (typeof $ref === 'string') references.push($ref)
      for (const one of Object.values(value)) look(one)
    }
    look(document)
    expect(references.length).toBeGreaterThan(100)
    const resolve = (reference: string) => {
      if (!reference.startsWith('#/')) return undefined
      const steps = reference
        .slice(2)
        .split('/')
        .map((one) => decodeURIComponent(one).replaceAll('~1', '/').replaceAll('~0', '~'))
      return steps.reduce<unknown>((one, step) => (one as Json | undefined)?.[step], document)
    }
    expect([...new Set(references)].filter((one) => resolve(one) === undefined)).toEqual([])
  })

  it('has schemas whose types, required names and choices are those of JSON Schema', () => {
    const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']
    const faults: unknown[] = []
    const look = (schema: unknown, where: string): void => {
      if (typeof schema === 'boolean') return
      if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return void faults.push(where)
      const one = schema as Json & { type?: string | string[]; required?: unknown; enum?: unknown; properties?: Json }
      for (const type of [one.type ?? []].flat()) if (!types.includes(type)) faults.push([where, type])
      if (one.required !== undefined && !isNames(one.required)) faults.push([where, 'required'])
      if (one.enum !== undefined && (!Array.isArray(one.enum) || one.enum.length === 0)) faults.push([where, 'enum'])
      for (const key of ['properties', 'patternProperties', '$defs'])
        for (const [name, inner] of Object.entries((one[key] ?? {}) as Json)) look(inner, `${where}.${name}`)
      for (const key of ['items', 'additionalProperties', 'not', 'propertyNames'])
        if (one[key] !== undefined) look(one[key], `${where}.${key}`)
      for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
        for (const inner of (one[key] ?? []) as unknown[]) look(inner, `${where}.${key}`)
      for (const pattern of [one['pattern'] ?? [], Object.keys((one['patternProperties'] ?? {}) as Json)].flat())
        expect(() => new RegExp(String(pattern), 'u')).not.toThrow()
    }
    const isNames = (names: unknown) =>
      Array.isArray(names) && new Set(names).size === names.length && names.every((name) => typeof name === 'string')
    const inContent = (content: object | undefined, where: string) => {
      for (const one of Object.values(content ?? {}))
        if ((one as Json)['schema'] !== undefined) look((one as Json)['schema'], where)
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) look(schema, name)
    for (const { path, method, operation } of operations) {
      const where = `${method} ${path}`
      for (const one of operation.parameters ?? [])
        if (one.schema !== undefined) look(one.schema, `${where} ${one.name}`)
      inContent(operation.requestBody?.content, where)
      for (const one of Object.values(operation.responses)) inContent(one.content, where)
    }
    expect(faults).toEqual([])
  })
})
