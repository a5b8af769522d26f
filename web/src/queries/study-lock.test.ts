import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lockSeconds } from '@hilum/contract/limits'
import { setSid } from '../api/credentials.ts'
import { whileLocked } from './study-lock.ts'

/** Calls to the server, with what became of them as far as it matters here. */
let calls: { path: string; isKeptAlive: boolean }[]
let refuse: (path: string) => Response | undefined

beforeEach(() => {
  calls = []
  refuse = () => undefined
  setSid('s')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const path = String(address).replace(/^\/api\/v3\//, '')
    calls.push({ path, isKeptAlive: init.keepalive === true })
    return refuse(path) ?? Response.json({ status: 'OK', until: '' })
  })
})
afterEach(() => {
  setSid(undefined)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const paths = () => calls.map(({ path }) => path)
const locks = () => paths().filter((path) => path === 'study/lock').length
const away = () => Response.json({ status: 'ERROR', error_type: 'UNEXPECTED' }, { status: 500 })

/** An act that ends when it is told to. */
async function begin() {
  const doing = Promise.withResolvers<string>()
  const began = Promise.withResolvers<void>()
  const done = whileLocked('u', () => {
    began.resolve()
    return doing.promise
  })
  await began.promise
  return { ...doing, done }
}

describe('[PROCESS-19] the lock of a study', () => {
  test('is renewed as long as the act takes, each time before it would end, and not afterwards', async () => {
    const { resolve, done } = await begin()
    for (const renewals of [1, 2, 3]) {
      vi.advanceTimersByTime((lockSeconds - 1) * 1000)
      expect(locks() - 1).toBeGreaterThanOrEqual(renewals)
    }
    resolve('done')
    expect(await done).toBe('done')
    const before = paths()
    expect(before.at(-1)).toBe('study/unlock')
    vi.advanceTimersByTime(lockSeconds * 2000)
    expect(paths()).toEqual(before)
  })

  test('is given back where the act fails, whose failure is what is told', async () => {
    const { reject, done } = await begin()
    reject(new Error('refused'))
    await expect(done).rejects.toThrow('refused')
    expect(paths()).toEqual(['study/lock', 'study/unlock'])
  })

  test('is given back when the page is closed, by a request that outlives the page', async () => {
    const { resolve, done } = await begin()
    window.dispatchEvent(new Event('pagehide'))
    await expect.poll(() => calls.at(-1)).toEqual({ path: 'study/unlock', isKeptAlive: true })
    resolve('done')
    await done
    const before = paths()
    window.dispatchEvent(new Event('pagehide'))
    await Promise.resolve()
    expect(paths()).toEqual(before)
  })

  test('of another person stops the act before it begins, and is not given back', async () => {
    refuse = () => Response.json({ status: 'ERROR', error_type: 'LOCKED' }, { status: 412 })
    const act = vi.fn<() => Promise<void>>()
    await expect(whileLocked('u', act)).rejects.toMatchObject({ code: 'LOCKED' })
    expect(act).not.toHaveBeenCalled()
    expect(paths()).toEqual(['study/lock'])
  })

  test('that cannot be renewed or given back does not fail what was done', async () => {
    const { resolve, done } = await begin()
    refuse = away
    vi.advanceTimersByTime(lockSeconds * 1000)
    resolve('done')
    expect(await done).toBe('done')
    expect(paths().at(-1)).toBe('study/unlock')
  })
})
