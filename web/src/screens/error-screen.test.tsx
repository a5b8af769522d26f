import { MantineProvider } from '@mantine/core'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiFailure } from '../api/api-failure.ts'
import { ErrorScreen } from './error-screen.tsx'

test('[ERROR-01] whatever nobody foresaw reads "An unexpected error occurred", with Refresh and details', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const routeTree = createRootRoute({
    component: () => {
      throw new ApiFailure('STALE', { status: 412 })
    },
    errorComponent: ErrorScreen,
  })
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  render(
    <MantineProvider>
      <RouterProvider router={router as never} />
    </MantineProvider>,
  )
  expect(await screen.findByRole('heading', { name: 'An unexpected error occurred' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Refresh' }).getAttribute('href')).toBe(location.href)
  expect(screen.getByText('Details').closest('details')?.textContent).toContain('STALE · 412')
})
