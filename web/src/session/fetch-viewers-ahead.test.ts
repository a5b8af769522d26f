import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchViewersAhead } from './fetch-viewers-ahead.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  for (const link of document.head.querySelectorAll('link[rel=prefetch]')) link.remove()
})

const links = () => [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')].map((link) => link.href)

test('the code of both viewers is fetched while somebody looks at a list, once each, and what is not ready is left', async () => {
  const answers: Record<string, Response> = {
    '/proviewer/ahead.json': Response.json(['/proviewer/assets/a.js', '/proviewer/assets/a.css']),
    '/viewer/ahead.json': new Response('not ready', { status: 503 }),
  }
  vi.stubGlobal('fetch', async (address: string) => answers[address]?.clone())
  fetchViewersAhead()
  expect(links()).toEqual([])
  await vi.runAllTimersAsync()
  fetchViewersAhead()
  await vi.runAllTimersAsync()
  expect(links().map((href) => new URL(href).pathname)).toEqual(['/proviewer/assets/a.js', '/proviewer/assets/a.css'])
})

test('nothing is fetched once the list is left', async () => {
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  fetchViewersAhead()()
  await vi.runAllTimersAsync()
  expect(fetched).not.toHaveBeenCalled()
})

test('nothing is fetched ahead where the browser saves data', async () => {
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('navigator', { ...navigator, connection: { saveData: true } })
  fetchViewersAhead()
  await vi.runAllTimersAsync()
  expect(fetched).not.toHaveBeenCalled()
})
