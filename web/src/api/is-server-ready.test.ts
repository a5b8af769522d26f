import { expect, test, vi } from 'vitest'
import { isServerReady } from './is-server-ready.ts'

test.each([
  [200, true],
  [404, true],
  [403, true],
  [502, false],
  [503, false],
  [504, false],
])('takes an answer of %i for a server that is there: %s', async (status, isThere) => {
  vi.stubGlobal('fetch', async () => new Response(null, { status }))
  expect(await isServerReady()).toBe(isThere)
})

test('takes no answer for a server that is away', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await isServerReady()).toBe(false)
})

test.each([
  ['the page of a sign-in to a network', new Response('<!doctype html>', { status: 200 }), false],
  ['the status of such networks', new Response('', { status: 511 }), false],
  ['a page of a proxy that keeps the address to itself', new Response('<html>', { status: 403 }), true],
  ['a word of such a proxy', new Response('healthy', { status: 200 }), true],
])('of %s', async (_what, answer, isThere) => {
  vi.stubGlobal('fetch', async () => answer)
  expect(await isServerReady()).toBe(isThere)
})
