import type { AnyCall } from '@hilum/contract/call'
import { calls } from '@hilum/contract/calls/all-calls'
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { type BundleItem, callBundle } from './call-bundle.ts'
import { callApi } from './call-api.ts'
import { setSid } from './credentials.ts'

let sent: Record<string, unknown>
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

beforeEach(() => {
  setSid('abc')
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    const body = JSON.parse(init.body as string) as typeof sent | [typeof sent]
    sent = Array.isArray(body) ? body[0] : body
    return Promise.resolve(new Response(JSON.stringify(Array.isArray(body) ? [{ HTTP_STATUS_CODE: '200' }] : {})))
  })
})
afterEach(() => {
  setSid(undefined)
  vi.unstubAllGlobals()
})

/** Of every list that has moments to filter by: the call, and its fields that are moments. */
const lists = (Object.values(calls) as AnyCall[]).flatMap((call) => {
  const fields = Object.entries(call.list?.filters ?? {}).flatMap(([field, kind]) => (kind === 'stamp' ? [field] : []))
  return fields.map((field) => ({ path: call.path, field, call }))
})
const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const parameters = { account_id: id, uuid: id, patientid: 'M1', namespace_id: id, user_id: id } as never

test('there are lists with moments', () => {
  expect(lists.map((one) => one.path)).toEqual(
    expect.arrayContaining(['audit/account', 'retention/purged', 'study/list']),
  )
})

test.each(lists)('$path reads the days of $field in the zone of the browser', async ({ call: declared, field }) => {
  // as built pages know the call
  const call = Object.assign({}, declared, { list: undefined })
  await callApi(call, parameters, { list: { [`filter.${field}.ge`]: '2026-11-01' } })
  expect(sent['filter.tz']).toBe(zone)
  sent = {}
  const items = [{ parameters, list: { [`filter.${field}.le`]: '2026-11-30' } }] as BundleItem<AnyCall>[]
  await callBundle(call, items)
  expect(sent['filter.tz']).toBe(zone)
  await callApi(call, parameters, { list: { [`filter.${field}.ge`]: undefined } })
  expect(sent).not.toHaveProperty(['filter.tz'])
})

test('a saved search, which may have days, is read in the zone of the browser', async () => {
  const [list] = lists.filter((one) => one.path === 'study/list')
  await callApi(list?.call as AnyCall, parameters, { list: { filter_id: id } })
  expect(sent['filter.tz']).toBe(zone)
})
