import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { webRoutes } from './web-routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'hilum-web-'))
const page = '<!doctype html><title>Hilum</title>'
writeFileSync(join(folder, 'index.html'), page)
const app = fastify()
await webRoutes(app, folder)
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const statusOf = async (method: 'GET' | 'HEAD' | 'POST', url: string) => (await app.inject({ method, url })).statusCode

it.each([
  '/',
  '/group/list',
  '/group/g1',
  '/group/g1/Shared%20w%2F%20group',
  '/administration',
  '/administration/users/',
  '/account-settings/password',
  '/study/request/g1',
  '/inbox',
  '/inbox/group/list',
  '/organization/users.html',
])('[ROUTE-15] %s is a screen, also when only asked for', async (url) => {
  expect(await statusOf('GET', url)).toBe(200)
  expect(await statusOf('HEAD', url)).toBe(200)
  expect(await statusOf('POST', url)).toBe(404)
})

it.each([
  '/api/v3/none',
  '/favicon-none.ico',
  '/health',
  '/healthz',
  '/metrics',
  '/status',
  '/nothing/here',
  '/groups',
  '/administration/nothing',
  '/administration/users/nothing',
  '/account-settings/nothing',
  '/study',
  '/study/upload/more',
  '/help/me',
  '/link',
  '/inbox/nothing',
])('%s is none, and a person who looks for it is told so by the app', async (url) => {
  expect(await statusOf('GET', url)).toBe(404)
  expect(await statusOf('HEAD', url)).toBe(404)
  expect((await app.inject({ url, headers: { accept: '*/*' } })).body).toBe('Not found')
  const seen = await app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } })
  expect([seen.statusCode, seen.body]).toEqual([404, page])
  expect(seen.headers['content-security-policy']).toContain("default-src 'none'")
})

it.each(['/', '/index.html', '/group/list', '/nothing/here'])('%s runs no script but our own', async (url) => {
  const { headers } = await app.inject({ url, headers: { accept: 'text/html' } })
  expect(headers['content-type']).toContain('text/html')
  expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';.*frame-ancestors 'none'/)
})
