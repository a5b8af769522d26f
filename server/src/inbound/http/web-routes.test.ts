import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { webRoutes } from './web-routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'hilum-web-'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Hilum</title>')
const app = fastify()
await webRoutes(app, folder)
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const statusOf = async (method: 'GET' | 'HEAD' | 'POST', url: string) => (await app.inject({ method, url })).statusCode

it.each(['/', '/group/list', '/organization/users.html'])(
  '[ROUTE-15] %s is a screen, also when only asked for',
  async (url) => {
    expect(await statusOf('GET', url)).toBe(200)
    expect(await statusOf('HEAD', url)).toBe(200)
    expect(await statusOf('POST', url)).toBe(404)
  },
)

it.each(['/api/v3/none', '/favicon-none.ico'])('%s is none', async (url) => {
  expect(await statusOf('GET', url)).toBe(404)
  expect(await statusOf('HEAD', url)).toBe(404)
})
