import type { Study } from '@hilum/contract/entities/study'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { setSid } from '../api/credentials.ts'
import { useMarkRead } from './mark-read.ts'

afterEach(() => {
  setSid(undefined)
  vi.unstubAllGlobals()
})

const unread = { uuid: 'x', unread: 1, permissions: { study_view: 1 } } as unknown as Study

function openStudies(): { sent: string[]; open: (study: Study) => void } {
  const sent: string[] = []
  setSid('s')
  vi.stubGlobal('fetch', (address: string) => {
    sent.push(address)
    return Promise.resolve(new Response(JSON.stringify({ status: 'OK', uuid: 'x' })))
  })
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { rerender } = renderHook((study: Study | undefined) => useMarkRead(study), { wrapper })
  return { sent, open: rerender }
}

test('a study that a reader opened is unread no more, a deleted one is left as it is until it is restored', async () => {
  const { sent, open } = openStudies()
  open({ ...unread, deleted_at: '2026-01-01 10:00:00' })
  expect(sent).toEqual([])
  open(unread)
  await waitFor(() => expect(sent).toEqual(['/api/v3/study/set']))
})
