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
