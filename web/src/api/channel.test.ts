import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closeChannel, isLineDown, onLineDown, onLineLost, subscribe } from './channel.ts'
import { setSid } from './credentials.ts'

/** A socket that the test opens, feeds and breaks by hand. */
class HandSocket extends EventTarget {
  static readonly OPEN = 1
  static all: HandSocket[] = []
  readyState = 0
  sent: unknown[] = []
  readonly address: string
  constructor(address: string) {
    super()
    this.address = address
    HandSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(): void {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
  open(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  hear(message: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}
const last = () => HandSocket.all.at(-1) as HandSocket // one is made by the first subscription

beforeEach(() => {
  HandSocket.all = []
  vi.stubGlobal('WebSocket', HandSocket)
  vi.useFakeTimers()
  setSid('abc')
})
afterEach(() => {
  closeChannel()
  setSid(undefined)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the sid travels in the subscribe message and never in the address', () => {
  subscribe('study.n1', () => undefined)
  last().open()
  expect(last().address).not.toContain('abc')
  expect(last().sent).toEqual([{ action: 'subscribe', channel: 'study.n1', sid: 'abc' }])
})

test('events reach the listeners of their channel only', () => {
  const heard = vi.fn()
  subscribe('study.n1', heard)
  last().open()
  last().hear({ event: 'STUDY', channel: 'study.other', sid_md5: 'x', uuid: 'u' })
  last().hear({ status: 'OK' })
  expect(heard).not.toHaveBeenCalled()
  last().hear({ event: 'STUDY', channel: 'study.n1', sid_md5: 'x', uuid: 'u' })
  expect(heard).toHaveBeenCalledWith(expect.objectContaining({ event: 'STUDY', uuid: 'u' }))
})

test('says when the server begins to tell, as what was read before may have changed since', () => {
  const heard = vi.fn()
  subscribe('study.n1', heard)
  last().open()
  expect(heard).not.toHaveBeenCalled()
  last().hear({ status: 'OK', channel: 'study.n1' })
  expect(heard.mock.calls).toEqual([['joined']])
})

test('after a break it connects again, subscribes anew and says so', () => {
  const heard = vi.fn()
  subscribe('study.n1', heard)
  last().open()
  last().close()
  vi.advanceTimersByTime(1000)
  expect(HandSocket.all).toHaveLength(2)
  last().open()
  expect(last().sent).toEqual([{ action: 'subscribe', channel: 'study.n1', sid: 'abc' }])
  last().hear({ status: 'OK', channel: 'study.n1' })
  expect(heard).toHaveBeenCalledWith('joined')
})

test('hung up, it stays quiet', () => {
  subscribe('study.n1', () => undefined)
  last().open()
  closeChannel()
  vi.advanceTimersByTime(60_000)
  expect(HandSocket.all).toHaveLength(1)
})

test('tells that the line broke or a channel was taken away, and not that it was closed here', () => {
  const hear = vi.fn()
  onLineLost(hear)
  subscribe('study.n1', () => undefined)
  last().open()
  last().hear({ status: 'OK', channel: 'study.n1' })
  expect(hear).not.toHaveBeenCalled()
  last().hear({ status: 'ERROR', error_type: 'NOT_PERMITTED', channel: 'study.n1' })
  expect(hear).toHaveBeenCalledTimes(1)
  last().close()
  expect(hear).toHaveBeenCalledTimes(2)
  closeChannel()
  expect(hear).toHaveBeenCalledTimes(2)
  onLineLost(() => undefined)
})

test('a line that stays broken is down until the server tells again; a short break is not', () => {
  const heard = vi.fn()
  const stop = onLineDown(heard)
  subscribe('study.n1', () => undefined)
  last().open()
  last().close()
  vi.advanceTimersByTime(2900)
  expect(isLineDown()).toBe(false)
  vi.advanceTimersByTime(200)
  expect(isLineDown()).toBe(true)
  last().open()
  last().hear({ status: 'OK', channel: 'study.n1' })
  expect(isLineDown()).toBe(false)
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
})
