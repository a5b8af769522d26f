import { permissions as allPermissions } from '@hilum/contract/permissions'
import { roleTemplates } from '@hilum/contract/roles'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showSignedIn } from '../../test/signed-in.tsx'
import { AdministrationScreen } from '../screens/administration-screen.tsx'
import { putSession, readSession } from '../session/session-store.ts'
import { router as whole } from './router.tsx'

afterEach(() => vi.unstubAllGlobals())

const above = '/signed-in/administration/'
const pages = Object.values(whole.routesById).filter(({ id }) => id.startsWith(above))

/** A server that has no answer: pages are open all the same. */
const silent = new Proxy({}, { get: () => ({ error_type: 'UNEXPECTED_ERROR' }) })

/** The way to the administration with all its pages, for somebody of a role. */
function openAdministration(holds: readonly string[]) {
  const root = createRootRoute()
  const administration = createRoute({
    getParentRoute: () => root,
    path: '/administration',
    component: AdministrationScreen,
  })
  const children = pages.map(({ id, options }) => {
    const { component } = options as { component: Parameters<typeof createRoute>[0]['component'] }
    return createRoute({ getParentRoute: () => administration, path: `/${id.slice(above.length)}`, component })
  })
  const history = createMemoryHistory({ initialEntries: ['/administration'] })
  const router = createRouter({ routeTree: root.addChildren([administration.addChildren(children)]), history })
  const flags = Object.fromEntries(holds.map((one) => [one, 1]))
  return showSignedIn(<RouterProvider router={router as never} />, silent, {}, flags)
}

const refusal = /^Only (administrators|people)/

/** The page that is open, by its link; undefined where the person may open none. */
async function openPage(): Promise<string | null | undefined> {
  await screen.findByRole('heading', { name: 'Administration' })
  const nav = screen.queryByRole('navigation', { name: 'Administration pages' })
  if (!nav) return undefined
  const current = () =>
    within(nav)
      .getAllByRole('link')
      .find((link) => link.getAttribute('aria-current') === 'page')
  await waitFor(() => expect(current()).toBeDefined())
  await waitFor(() => expect(nav.nextElementSibling?.textContent).toMatch(/\w/))
  return current()?.textContent
}

test('[ADMIN-USERS-02] whatever a role holds, Administration opens a page of it, or says that there is none', async () => {
  expect(pages.length).toBeGreaterThan(15)
  const roles = [...roleTemplates.map(({ holds }) => [...holds]), ...allPermissions.map((one) => [one])]
  const opened = new Map<string, string[]>()
  for (const holds of roles) {
    const { unmount } = openAdministration(holds)
    const page = await openPage()
    const said = screen.queryByText(refusal)
    expect({ holds, isRefused: said !== null }).toEqual({ holds, isRefused: page === undefined })
    if (page) opened.set(page, [...(opened.get(page) ?? []), holds.join(' ')])
    unmount()
  }
  expect([...opened.keys()].toSorted()).toEqual([
    'Audit',
    'Destinations',
    'First steps',
    'Groups',
    'Keeping and purging',
    'Locations',
    'Routing rules',
    'Users',
    'Webhooks',
  ])
  expect(opened.get('Audit')).toEqual(['account_audit_view'])
})

test.each(['sysadmin', 'support'] as const)(
  '[PERM-02] the flag %s alone opens the page of the installation',
  async (flag) => {
    openAdministration([])
    await screen.findByText(refusal)
    const now = readSession()
    if (now.status !== 'established') throw new Error('Nobody is signed in')
    const { session } = now
    act(() => putSession({ ...now, session: { ...session, user: { ...session.user, [flag]: 1 } } }))
    expect(await openPage()).toBe('All organisations')
  },
)
