import { expect, it, vi } from 'vitest'
import { isPeerAt } from './peer-address.ts'
import { fetchGuarded } from '../../outbound/identity/guarded-fetch.ts'
import { sendWebhook } from '../../outbound/webhook/send-webhook.ts'

// a resolver that never answers
vi.mock('node:dns/promises', () => ({ lookup: () => new Promise(() => {}) }))

it('gives up a name that nobody resolves, at every door that asks for one', async () => {
  // AbortSignal.timeout knows no false clock
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new DOMException('late', 'TimeoutError')))
  const call = { method: 'POST_JSON', secret: '', delivery: '', fields: {}, at: new Date() } as const
  const { signal } = new AbortController()
  expect(await sendWebhook({ ...call, url: 'https://a.example/' }, { allowsPrivate: false, signal })).toEqual({
    status: 0,
    error: 'TIMEOUT',
  })
  await expect(
    fetchGuarded('https://a.example/', { method: 'GET', headers: {} }, { allowsPrivate: false }),
  ).rejects.toMatchObject({ fault: 'TIMEOUT' })
  expect(await isPeerAt({ aetitle: 'A', address: 'a.example' }, { callingTitle: 'B', address: '192.0.2.1' })).toBe(
    false,
  )
})
