import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { showSignedIn } from '../../test/signed-in.tsx'
import { HelpScreen } from './help-screen.tsx'

test('the part that is open already is gone to again, and nothing found leaves no empty list of parts', async () => {
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue()
  const root = createRootRoute()
  const help = createRoute({ getParentRoute: () => root, path: '/help', component: HelpScreen })
  const history = createMemoryHistory({ initialEntries: ['/help'] })
  const router = createRouter({ routeTree: root.addChildren([help]), history })
  showSignedIn(<RouterProvider router={router as never} />)
  const search = await screen.findByRole('searchbox', { name: 'Search the help' })
  for (const _time of [1, 2]) {
    search.focus()
    await userEvent.click(screen.getByRole('link', { name: 'Keys' }))
    await waitFor(() => expect(document.activeElement?.id).toBe('keys'))
  }
  await userEvent.type(search, 'zzzz')
  await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Parts of the help' })).toBeNull())
})
