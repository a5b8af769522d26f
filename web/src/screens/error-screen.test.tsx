import { MantineProvider } from '@mantine/core'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { ApiFailure } from '../api/api-failure.ts'
import { ErrorScreen } from './error-screen.tsx'

function open(component: () => ReactNode) {
  vi.spyOn(console, 'error').mockReturnValue()
  const routeTree = createRootRoute({ component, errorComponent: ErrorScreen })
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  render(
    <MantineProvider>
      <RouterProvider router={router as never} />
    </MantineProvider>,
  )
}

test.each([
  ['nobody answers', new ApiFailure('ERR_NETWORK')],
  ['the database is away', new ApiFailure('HTTP_ERROR', { status: 503 })],
])('[ERROR-01] a page that begins while %s says so, and goes on when the server is back', async (_words, error) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const ready = vi.fn(() => Promise.resolve(new Response('', { status: 503 })))
  vi.stubGlobal('fetch', ready)
  try {
    let isAway = true
    open(() => {
      if (isAway) throw error
      return <p>The list</p>
    })
    expect(await screen.findByRole('heading', { name: 'The server does not answer' })).toBeDefined()
    await vi.advanceTimersByTimeAsync(16_000)
    expect(ready).toHaveBeenCalled()
    expect(screen.queryByText('The list')).toBeNull()
    isAway = false
    ready.mockResolvedValue(new Response('', { status: 200 }))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await screen.findByText('The list')).toBeDefined()
  } finally {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

test('[ERROR-01] whatever nobody foresaw reads "An unexpected error occurred", with Refresh and details', async () => {
  open(() => {
    throw new ApiFailure('STALE', { status: 412 })
  })
  expect(await screen.findByRole('heading', { name: 'An unexpected error occurred' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Refresh' }).getAttribute('href')).toBe(location.href)
  expect(screen.getByText('Details').closest('details')?.textContent).toContain('STALE · 412')
})
