import { calls } from '@hilum/contract/calls/all-calls'
import Fastify, { type FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { docsRoutes } from './docs-routes.ts'

describe('the API page', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = Fastify()
    await app.register(docsRoutes)
  })

  it('describes every call as OpenAPI, with its required fields and its own errors', async () => {
    const document = (await app.inject({ url: '/api/v3/openapi.json' })).json()
    const declared = Object.values(calls).map((call) => `/${call.path}`)
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(declared))
    const { get, post } = document.paths['/session/login']
    expect(get).toBeUndefined()
    expect(post.requestBody.content['application/json'].schema.required).toEqual(['login', 'password'])
    expect(post.responses['412'].description).toContain('INVALID_CREDENTIALS')
    const parameters = document.paths['/study/list'].get.parameters.map((one: { name: string }) => one.name)
    expect(parameters).toEqual(
      expect.arrayContaining(['filter.FIELD.CONDITION', 'sort_by', 'page.rows', 'fields.study']),
    )
  })

  it('can be read as a page that runs no script', async () => {
    const reply = await app.inject({ url: '/api/v3/docs' })
    expect(reply.headers['content-type']).toContain('text/html')
    expect(reply.headers['content-security-policy']).not.toContain('script-src')
    expect(reply.body).toContain('study/upload/check')
    expect(reply.body).not.toContain('<script')
  })
})
