import { defineCall } from '@hilum/contract/call'
import { maxBundleItems } from '@hilum/contract/limits'
import * as wire from '@hilum/contract/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { callBundle } from './call-bundle.ts'
import { setSid } from './credentials.ts'

const make = defineCall({
  path: 'thing/add',
  summary: 'For these tests.',
  on: { kind: 'caller' },
  once: {},
  input: z.object({ name: wire.text() }),
  output: wire.statusOnly,
  errors: [],
})
const items = Array.from({ length: 2 * maxBundleItems + 1 }, (_, at) => ({ parameters: { name: String(at) } }))
type Sent = { name: string; idempotency_key: string }[]
const requests: Sent[] = []
/** Number of the request that finds the line broken, from 0. */
let broken: number | undefined

beforeEach(() => {
  requests.length = 0
  setSid('abc')
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    const sent = JSON.parse(String(init.body)) as Sent
    requests.push(sent)
    if (requests.length - 1 === broken) return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(Response.json(sent.map(() => ({ HTTP_STATUS_CODE: '200', status: 'OK' }))))
  })
})
afterEach(() => {
  broken = undefined
  setSid(undefined)
  vi.unstubAllGlobals()
})

test('[GRID-05] where a later request of many breaks, its items and those after it fail, and the earlier ones are told as done', async () => {
  broken = 1
  const results = await callBundle(make, items)
  expect(results).toHaveLength(items.length)
  expect(results.slice(0, maxBundleItems).every((one) => one.isDone)).toBe(true)
  const failed = results.slice(maxBundleItems)
  expect(failed.every((one) => !one.isDone && one.failure.code === 'ERR_NETWORK')).toBe(true)
  expect(requests).toHaveLength(2)
})

test('items that were answered go under new keys later, and those whose answer was lost under the same', async () => {
  broken = 1
  await callBundle(make, items)
  await callBundle(make, items)
  const keysOf = (request: number) => requests[request]?.map((one) => one.idempotency_key)
  const [answered, lost] = [new Set(keysOf(0)), keysOf(1)]
  expect(keysOf(2)?.some((key) => answered.has(key))).toBe(false)
  expect(keysOf(3)).toEqual(lost)
})

test('fails as a whole where nothing was answered', async () => {
  broken = 0
  await expect(callBundle(make, items)).rejects.toMatchObject({ code: 'ERR_NETWORK' })
})
