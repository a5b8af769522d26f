import { defineCall } from '@hilum/contract/call'
import * as wire from '@hilum/contract/wire'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { callApi } from './call-api.ts'
import { getSid, onSessionRefused, setSid } from './credentials.ts'

const studyCall = defineCall({
  path: 'study/get',
  summary: 'A study, for these tests.',
  on: { kind: 'study', by: ['uuid'], may: 'viewStudy' },
  input: z.object({ uuid: z.string() }),
  output: z.object({ patient_name: z.string() }),
  errors: ['STALE'],
})
const uuid = '1'

function answer(status: number, body: unknown, statusText = ''): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(text, { status, statusText })))
}

afterEach(() => {
  setSid(undefined)
  vi.unstubAllGlobals()
})

describe('a call', () => {
  test('[API-01] goes to api/v3, marks the client as USER with its release, and keeps the sid out of the address', async () => {
    setSid('abc')
    const fetched = vi.fn((_address: string, _init: RequestInit) =>
      Promise.resolve(new Response('{"status":"OK","patient_name":"A"}')),
    )
    vi.stubGlobal('fetch', fetched)
    await expect(callApi(studyCall, { uuid })).resolves.toMatchObject({ patient_name: 'A' })
    const [address, init] = fetched.mock.calls[0] ?? []
    expect(address).toBe('/api/v3/study/get')
    expect(init?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'sdk-client-name': 'USER',
      'sdk-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
  })

  test('[ERROR-04] without a session fails with "SID not found in session"', async () => {
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ message: 'SID not found in session' })
  })

  test('with values that the schema refuses is not sent, and fails as the server would say', async () => {
    setSid('abc')
    const fetched = vi.fn(() => Promise.resolve(new Response('{"status":"OK"}')))
    vi.stubGlobal('fetch', fetched)
    const call = { ...studyCall, input: z.object({ name: wire.text(), port: wire.integer() }) }
    const missing = { code: 'MISSING_FIELDS', subtype: ['name'], status: 412 }
    await expect(callApi(call, { name: '', port: 1.5 })).rejects.toMatchObject(missing)
    const wrong = { code: 'INVALID_INTEGER', subtype: 'port' }
    await expect(callApi(call, { name: 'A', port: 1.5 })).rejects.toMatchObject(wrong)
    expect(fetched).not.toHaveBeenCalled()
    await callApi(call, { name: 'A', port: 1 })
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  test('[ERROR-02] a line that is silent for too long rejects with ERR_NETWORK, and giving up with the reason of whoever gave up', async () => {
    setSid('abc')
    vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
        if (signal?.aborted) reject(signal.reason as Error)
      })
    })
    const giveUp = new AbortController()
    const given = callApi(studyCall, { uuid }, { signal: giveUp.signal })
    giveUp.abort(new DOMException('left', 'AbortError'))
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    const over = vi
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')))
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'ERR_NETWORK' })
    expect(over).toHaveBeenCalledWith(120_000)
    over.mockRestore()
  })

  test('[ERROR-02] a network error rejects with ERR_NETWORK', async () => {
    setSid('abc')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')))
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'ERR_NETWORK' })
  })

  test('[ERROR-02] an answer that breaks off is a network error too', async () => {
    setSid('abc')
    const breaking = new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(breaking)))
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'ERR_NETWORK' })
  })

  test.each([
    [404, 'Not Found'],
    [405, 'Method Not Allowed'],
  ])('[ERROR-03] %i rejects with the status text', async (status, statusText) => {
    setSid('abc')
    answer(status, 'x', statusText)
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ message: statusText, status })
  })

  test('[ERROR-03] 412 rejects with error_type, its subtype and data', async () => {
    setSid('abc')
    answer(412, { status: 'ERROR', error_type: 'MISSING_FIELDS', error_subtype: ['uuid'], error_data: 7 })
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({
      code: 'MISSING_FIELDS',
      subtype: ['uuid'],
      data: 7,
    })
  })

  test('[ERROR-03] error_type may be a list whose first item is the code', async () => {
    setSid('abc')
    answer(412, { status: 'ERROR', error_type: ['INVALID_JSON', 'settings'] })
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'INVALID_JSON', subtype: 'settings' })
  })

  test('[ERROR-03] other statuses reject with the response, anything else is UNEXPECTED_ERROR', async () => {
    setSid('abc')
    answer(503, 'busy')
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'HTTP_ERROR', status: 503, data: 'busy' })
    answer(200, 'not json')
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'UNEXPECTED_ERROR' })
  })

  test.each([200, 401, 403, 511])(
    'the page of a sign-in to a network (%i) is no answer, and refuses no session',
    async (status) => {
      setSid('abc')
      vi.stubGlobal('fetch', async () => new Response('\n<!DOCTYPE html><title>Hotel</title>', { status }))
      await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'ERR_NETWORK' })
      expect(getSid()).toBe('abc')
    },
  )

  test('[AUTH-17] a 401 reports the session as refused, but not for a sid that was replaced meanwhile', async () => {
    const refused = vi.fn()
    const stop = onSessionRefused(refused)
    setSid('new')
    answer(401, {})
    await expect(callApi(studyCall, { uuid }, { sid: 'old' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(refused).not.toHaveBeenCalled()
    await expect(callApi(studyCall, { uuid })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(refused).toHaveBeenCalledOnce()
    stop()
  })
})
