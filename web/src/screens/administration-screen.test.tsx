import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showSignedIn } from '../../test/signed-in.tsx'
import { AdministrationScreen } from './administration-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

function show(permissions: Record<string, number>, path = '/administration') {
  const root = createRootRoute()
  const administration = createRoute({
    getParentRoute: () => root,
    path: '/administration',
    component: AdministrationScreen,
  })
  const pages = ['users', 'groups', 'roles', 'security', 'connections', 'outbox', 'refused', 'work'].map((one) =>
    createRoute({ getParentRoute: () => administration, path: `/${one}` }),
  )
  const routeTree = root.addChildren([administration.addChildren(pages)])
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [path] }) })
  showSignedIn(<RouterProvider router={router as never} />, {}, {}, permissions)
}
const nav = () => screen.findByRole('navigation', { name: 'Administration pages' })
const links = async () =>
  within(await nav())
    .getAllByRole('link')
    .map((link) => link.textContent)

test.each([
  [{ account_user_view: 1 }, ['Users']],
  [{ account_user_edit: 1 }, ['Users']],
  [{ route_view: 1 }, ['Routing rules']],
  [{ route_edit: 1, webhook_edit: 1 }, ['Routing rules', 'Webhooks']],
  [{ group_view: 1 }, ['Groups']],
  [{ group_edit: 1, role_view: 1 }, ['Groups', 'Roles']],
  [{ group_edit: 1, customfield_edit: 1 }, ['Groups']],
  [{ group_edit: 1, customfield_edit: 1, customfield_view: 1 }, ['Groups', 'Custom fields']],
  [
    { account_edit: 1 },
    ['Connections', 'Access from outside', 'Organisation', 'Security', 'Refused access', 'Mail outbox', 'Jobs'],
  ],
  [
    { account_edit: 1, account_user_view: 1 },
    [
      'Users',
      'Connections',
      'Access from outside',
      'Organisation',
      'Security',
      'Refused access',
      'Mail outbox',
      'Jobs',
    ],
  ],
  [
    { account_edit: 1, audit_view: 1 },
    [
      'Connections',
      'Access from outside',
      'Organisation',
      'Security',
      'Audit',
      'Refused access',
      'Mail outbox',
      'Jobs',
    ],
  ],
])('[ADMIN-USERS-02] with %j links to %j', async (permissions: Record<string, number>, names) => {
  show(permissions)
  expect(await links()).toEqual(names)
})

test('[ADMIN-USERS-02] marks the page that is open', async () => {
  show({ account_edit: 1, account_user_view: 1 }, '/administration/users')
  const current = within(await nav())
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page')
  expect(current.map((link) => link.textContent)).toEqual(['Users'])
})
