import { defineCall } from '@hilum/contract/call'
import { webhookTest } from '@hilum/contract/calls/webhook'
import * as wire from '@hilum/contract/wire'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { callApi } from './call-api.ts'
import { callBundle } from './call-bundle.ts'
import { setSid } from './credentials.ts'

const on = { kind: 'caller' } as const
const declared = { summary: 'For these tests.', on, output: wire.statusOnly, errors: [] }
const make = defineCall({ ...declared, path: 'thing/add', once: {}, input: z.object({ name: wire.text() }) })
const look = defineCall({ ...declared, path: 'thing/list', reads: true, input: z.object({ name: wire.text() }) })
const remove = defineCall({ ...declared, path: 'thing/delete', input: z.object({ name: wire.text() }) })

type Sent = Record<string, unknown>
const sent: Sent[] = []
const lineBreaks = () => Promise.reject(new TypeError('Failed to fetch'))
let answers: (() => Promise<Response>)[] = []
const ok = () => Promise.resolve(Response.json({ status: 'OK' }))
const answerWith = (status: number, body: unknown) => () => Promise.resolve(Response.json(body, { status }))
const keys = () => sent.map((one) => one.idempotency_key)

beforeEach(() => {
  sent.length = 0
  setSid('abc')
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body)) as Sent | Sent[]
    sent.push(...(Array.isArray(body) ? body : [body]))
    return (answers.shift() ?? ok)()
  })
})
afterEach(() => {
  answers = []
  setSid(undefined)
  vi.unstubAllGlobals()
})

test('an act whose answer is lost goes under the same key again, until an answer came; another act has its own', async () => {
  answers = [lineBreaks, answerWith(502, {}), lineBreaks]
  for (const _press of [1, 2]) await expect(callApi(make, { name: 'a' })).rejects.toBeDefined()
  await expect(callApi(make, { name: 'b' })).rejects.toBeDefined()
  await callApi(make, { name: 'a' })
  const [first, again, other, answered] = keys()
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect([again, answered]).toEqual([first, first])
  expect(other).not.toBe(first)
  await callApi(make, { name: 'a' })
  expect(keys().at(-1)).not.toBe(first)
})

test('an act that had been done with other values goes under its key again, and is not done under a new one', async () => {
  const before = answerWith(412, { error_type: 'ANSWERED_BEFORE', error_subtype: 'other_values' })
  answers = [lineBreaks, before, before]
  for (const _press of [1, 2, 3]) await expect(callApi(make, { name: 'd' })).rejects.toBeDefined()
  expect(new Set(keys()).size).toBe(1)
})

test('an act that was refused goes under a new key, and one after something was taken back, too', async () => {
  answers = [answerWith(412, { error_type: 'NOT_PERMITTED' }), lineBreaks]
  for (const _press of [1, 2]) await expect(callApi(make, { name: 'c' })).rejects.toBeDefined()
  await callApi(remove, { name: 'c' })
  await callApi(make, { name: 'c' })
  const [refused, lost, removing, made] = keys()
  expect(removing).toBeUndefined()
  expect(new Set([refused, lost, made]).size).toBe(3)
})

test('what makes nothing has no key', async () => {
  await callApi(look, { name: 'd' })
  expect(sent).toEqual([{ name: 'd' }])
  expect(webhookTest.once).toBeDefined()
})

test('the items of a bundle keep their keys until the whole of it was answered', async () => {
  const items = [{ parameters: { name: 'e' } }, { parameters: { name: 'f' }, act: 'to f' }]
  answers = [lineBreaks]
  await expect(callBundle(make, items)).rejects.toBeDefined()
  const before = keys()
  answers = [answerWith(200, [{ HTTP_STATUS_CODE: '200' }, { HTTP_STATUS_CODE: '503' }])]
  await callBundle(make, [items[0] ?? { parameters: { name: '' } }, { parameters: { name: 'F' }, act: 'to f' }])
  expect(keys().slice(2)).toEqual(before)
  answers = [answerWith(200, [{ HTTP_STATUS_CODE: '200' }, { HTTP_STATUS_CODE: '200' }])]
  await callBundle(make, items)
  const [first, second] = keys().slice(4)
  expect(second).toBe(before[1])
  expect(first).not.toBe(before[0])
})
