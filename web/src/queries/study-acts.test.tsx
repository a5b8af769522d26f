import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { setSid } from '../api/credentials.ts'
import { studyQuery } from './studies.ts'
import { useRestoreStudies, useSetWorkStatus, useStarStudy } from './study-acts.ts'

afterEach(() => {
  setSid(undefined)
  vi.unstubAllGlobals()
})

/** A page that shows the study; from the first act on the network is gone, and readings hang. */
function showThenLoseNetwork<Act>(useAct: () => Act) {
  let isOffline = false
  vi.stubGlobal('fetch', (address: string) => {
    if (!isOffline) return Promise.resolve(Response.json({ uuid: 'one', star: 0 }))
    const isReading = address.endsWith('study/get')
    return isReading ? new Promise(() => {}) : Promise.reject(new TypeError('Failed to fetch'))
  })
  setSid('sid')
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const shown = renderHook(() => ({ study: useQuery(studyQuery('one')), act: useAct() }), { wrapper })
  return {
    shown,
    lose: async () => {
      await waitFor(() => expect(shown.result.current.study.data).toBeDefined())
      isOffline = true
    },
  }
}

test('a star that could not be set says so at once, though nothing can be read again', async () => {
  const { shown, lose } = showThenLoseNetwork(useStarStudy)
  await lose()
  act(() => shown.result.current.act.mutate({ uuid: 'one', star: 1 }))
  await waitFor(() => expect(shown.result.current.act.isError).toBe(true))
  expect(shown.result.current.study.data?.star).toBe(0)
})

test('a work status that could not be set says so at once', async () => {
  const { shown, lose } = showThenLoseNetwork(useSetWorkStatus)
  await lose()
  act(() => shown.result.current.act.mutate({ uuids: ['one'], status: 'done' }))
  await waitFor(() => expect(shown.result.current.act.isError).toBe(true))
})

test('studies that could not be restored are told of at once, and so are those that were', async () => {
  const { shown, lose } = showThenLoseNetwork(useRestoreStudies)
  await lose()
  act(() => shown.result.current.act.mutate(['one']))
  await waitFor(() => expect(shown.result.current.act.isError).toBe(true))
  const access = { shares: 1, links: 0, expired: 2, ended: 0, one_patient: 0 }
  const reply = [{ status: 'OK', HTTP_STATUS_CODE: '200', access }]
  vi.stubGlobal('fetch', (address: string) =>
    address.endsWith('bundle') ? Promise.resolve(Response.json(reply)) : new Promise(() => {}),
  )
  act(() => shown.result.current.act.mutate(['one']))
  await waitFor(() => expect(shown.result.current.act.data).toEqual({ done: 1, failed: 0, access }))
})
