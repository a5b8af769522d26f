import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it, vi } from 'vitest'
import { fetchGuarded } from '../identity/guarded-fetch.ts'
import { sendWebhook } from './send-webhook.ts'

/** Addresses of names that no other resolver knows: a connection to one of them is made to what was looked at. */
const named: Readonly<Record<string, readonly { address: string; family: number }[]>> = {
  'inside.invalid': [{ address: '127.0.0.1', family: 4 }],
  'both.invalid': [
    { address: '8.8.8.8', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ],
}
vi.mock('node:dns/promises', () => ({ lookup: (name: string) => Promise.resolve(named[name] ?? []) }))

const asked: string[] = []
const server = createServer((request, answer) => {
  asked.push(request.headers.host ?? '')
  answer.end('{}')
})
await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const call = { method: 'POST_JSON', secret: '', delivery: '', fields: {}, at: new Date() } as const
const { signal } = new AbortController()
const get = { method: 'GET', headers: {} }

it('connects to the very addresses that were looked at, where the name leads elsewhere a moment later', async () => {
  const url = `http://inside.invalid:${port}/`
  expect(await sendWebhook({ ...call, url }, { allowsPrivate: true, signal })).toEqual({ status: 200, error: '' })
  expect((await fetchGuarded(url, get, { allowsPrivate: true })).status).toBe(200)
  expect(asked).toEqual([`inside.invalid:${port}`, `inside.invalid:${port}`])
})

it('calls no name that leads to a private address, also where another of its addresses is public', async () => {
  asked.length = 0
  for (const name of ['inside.invalid', 'both.invalid']) {
    const url = `https://${name}:${port}/`
    expect(await sendWebhook({ ...call, url }, { allowsPrivate: false, signal })).toEqual({
      status: 0,
      error: 'PRIVATE_ADDRESS',
    })
    await expect(fetchGuarded(url, get, { allowsPrivate: false })).rejects.toMatchObject({ fault: 'PRIVATE_ADDRESS' })
  }
  expect(asked).toEqual([])
})
