import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Replies, showSignedIn } from './signed-in.tsx'

/** Shows something at an address, to a person who is signed in, with another address to go to: `/elsewhere`. */
export function showRouted(
  shown: ReactNode,
  replies: Replies = {},
  settings: Record<string, string> = {},
  permissions: Record<string, number> = {},
) {
  const root = createRootRoute({ component: Outlet })
  const page = createRoute({ getParentRoute: () => root, path: '/', component: () => shown })
  const other = createRoute({ getParentRoute: () => root, path: '/elsewhere', component: () => <p>Elsewhere</p> })
  const router = createRouter({ routeTree: root.addChildren([page, other]), history: createMemoryHistory() })
  const { unmount } = showSignedIn(<RouterProvider router={router as never} />, replies, settings, permissions)
  return {
    unmount,
    leave: () => router.history.push('/elsewhere'),
    go: (address: string) => router.history.push(address),
    address: () => router.state.location.href,
  }
}
