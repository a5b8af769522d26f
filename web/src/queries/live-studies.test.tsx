import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { makeInbox } from '../../test/signed-in.tsx'
import { closeChannel } from '../api/channel.ts'
import { setSid } from '../api/credentials.ts'
import { useLeftStudies } from '../state/left-studies.ts'
import { useLiveStudies } from './live-studies.ts'
import { studyKeys } from './studies.ts'

/** A line that the test speaks through. */
class Line extends EventTarget {
  static readonly OPEN = 1
  static last: Line
  readyState = 1
  constructor() {
    super()
    Line.last = this
  }
  send(text: string) {
    return text.length
  }
  close() {
    return undefined
  }
  say(uuid: string, event = 'STUDY') {
    const data = JSON.stringify({ event, channel: 'study.n1', sid_md5: '', uuid })
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

const heard = makeInbox('1', { namespaceId: 'n1', permissions: { channel_study: 1 } })

afterEach(() => {
  closeChannel()
  setSid(undefined)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('no line is opened for places of which the person may not hear, and none of them is asked for', () => {
  const opened = vi.fn<() => void>()
  class Opened extends Line {
    constructor() {
      super()
      opened()
    }
  }
  vi.stubGlobal('WebSocket', Opened)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  )
  const deaf = makeInbox('2', { namespaceId: 'n2', permissions: { study_view: 1 } })
  const { rerender } = renderHook((inboxes) => useLiveStudies(inboxes), { wrapper, initialProps: [deaf] })
  expect(opened).not.toHaveBeenCalled()
  rerender([deaf, heard])
  expect(opened).toHaveBeenCalledOnce()
  const said = vi.spyOn(Line.last, 'send')
  Line.last.dispatchEvent(new Event('open'))
  expect(said.mock.calls.join()).toContain('study.n1')
  expect(said.mock.calls.join()).not.toContain('study.n2')
})

test('lists are read again soon after a change, counts at most every 2 seconds however much arrives', () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Line)
  setSid('sid')
  const client = new QueryClient()
  const again = vi.spyOn(client, 'invalidateQueries')
  const times = (key: string) => again.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === key).length
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  renderHook(() => useLiveStudies([heard]), { wrapper })
  for (let at = 0; at < 40; at += 1) {
    Line.last.say(`s${at}`)
    vi.advanceTimersByTime(100)
  }
  // Four seconds of it: twice.
  expect(times(studyKeys.badges[0])).toBe(2)
  expect(times(studyKeys.lists[0])).toBeGreaterThan(5)
  vi.advanceTimersByTime(10_000)
  expect(times(studyKeys.badges[0])).toBe(2)
})

test('what its owner took back leaves the rows that are held, also when the list was read again before, and is not asked for', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Line)
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const page = { more: 0, rows: 2, number: 1, total: 1 }
    return Response.json({ status: 'OK', studies: [{ uuid: 'still-there' }], page, more: 0 })
  })
  setSid('sid')
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  renderHook(() => useLiveStudies([heard]), { wrapper })
  const left = renderHook(useLeftStudies)
  Line.last.say('taken-back', 'RETRACTED')
  Line.last.say('still-there', 'RETRACTED')
  Line.last.say('changed')
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect([...left.result.current]).toEqual(['taken-back'])
  // study/get would be refused, which a browser reports as a failure
  expect(new Set(asked)).toEqual(new Set(['/api/v3/study/list']))
})

test('what a colleague deleted, took back or restored leaves the rows that others hold; what only left a filter stays', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Line)
  const there: Record<'0' | '1', string[]> = { 0: ['restored', 'filtered'], 1: ['deleted'] }
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const sent = JSON.parse(String(init.body)) as Record<string, unknown>
    const uuids = there[String(sent['filter.is_deleted.equals']) as '0' | '1']
    return Response.json({ status: 'OK', studies: uuids.map((uuid) => ({ uuid })), page: { more: 0 } })
  })
  setSid('sid')
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  // the lists as they stand on the screen, and as the server gives them again
  for (const [state, uuids] of [
    ['Inbox', ['deleted', 'filtered', 'kept']],
    ['Deleted', ['restored']],
  ] as const) {
    const queryKey = [...studyKeys.lists, 'page', { state }]
    client.setQueryData(queryKey, { studies: uuids.map((uuid) => ({ uuid })), hasMore: false })
    const again = { studies: state === 'Inbox' ? [{ uuid: 'kept' }] : [], hasMore: false }
    new QueryObserver(client, { queryKey, queryFn: () => again, staleTime: Infinity }).subscribe(() => undefined)
  }
  renderHook(() => useLiveStudies([heard]), { wrapper })
  const left = renderHook(useLeftStudies)
  for (const uuid of ['deleted', 'restored', 'filtered', 'kept', 'never-listed']) Line.last.say(uuid)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  const gone = [...left.result.current]
  for (const uuid of ['deleted', 'restored']) expect(gone).toContain(uuid)
  for (const uuid of ['filtered', 'kept', 'never-listed']) expect(gone).not.toContain(uuid)
})
