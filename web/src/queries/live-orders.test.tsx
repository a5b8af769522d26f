import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { makeInbox, makeSession } from '../../test/signed-in.tsx'
import { closeChannel } from '../api/channel.ts'
import { setSid } from '../api/credentials.ts'
import { putSession } from '../session/session-store.ts'
import { useLiveOrders } from './live-orders.ts'
import { namespacesQuery } from './namespaces.ts'
import { orderKey } from './orders.ts'

/** A line that the test speaks through. */
class Line extends EventTarget {
  static readonly OPEN = 1
  static last: Line | undefined
  readyState = 1
  readonly asked: string[] = []
  constructor() {
    super()
    Line.last = this
  }
  send(text: string) {
    this.asked.push((JSON.parse(text) as { channel: string }).channel)
  }
  close() {
    return undefined
  }
  say(channel: string) {
    const data = JSON.stringify({ event: 'ORDER', channel, sid_md5: '', uuid: 'o1' })
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

afterEach(() => {
  closeChannel()
  setSid(undefined)
  Line.last = undefined
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function start(only?: string) {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Line)
  setSid('sid')
  const session = makeSession()
  putSession({ status: 'established', session })
  const client = new QueryClient()
  const seen = { permissions: { order_view: 1 } }
  const places = [makeInbox('a', seen), makeInbox('b', seen), makeInbox('c')]
  client.setQueryData(namespacesQuery(session.account.uuid).queryKey, places)
  const again = vi.spyOn(client, 'invalidateQueries')
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  renderHook(() => useLiveOrders(only), { wrapper })
  act(() => Line.last?.dispatchEvent(new Event('open')))
  return () => again.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === orderKey).length
}

test('orders are read again once for the changes of a moment, of all places whose orders the person sees', async () => {
  const times = start()
  await vi.advanceTimersByTimeAsync(0)
  expect(new Set(Line.last?.asked)).toEqual(new Set(['order.ns-a', 'order.ns-b']))
  for (let at = 0; at < 30; at += 1) Line.last?.say(at % 2 ? 'order.ns-a' : 'order.ns-b')
  vi.advanceTimersByTime(1000)
  expect(times()).toBe(1)
  Line.last?.say('order.ns-b')
  vi.advanceTimersByTime(1000)
  expect(times()).toBe(2)
})

test('beside an exam the orders of its place alone are heard of, and none where they may not be seen', async () => {
  start('ns-b')
  await vi.advanceTimersByTimeAsync(0)
  expect(new Set(Line.last?.asked)).toEqual(new Set(['order.ns-b']))
  closeChannel()
  Line.last = undefined
  start('ns-c')
  await vi.advanceTimersByTimeAsync(0)
  expect(Line.last).toBeUndefined()
})
