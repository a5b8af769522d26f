import { mayDo } from '@hilum/contract/acts'
import { roleTemplates } from '@hilum/contract/roles'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, showSignedIn } from '../../test/signed-in.tsx'
import { Groups, Locations } from '../features/administration/groups/groups.tsx'
import { RoutingRules } from '../features/administration/routing/routing-rules.tsx'
import { Users } from '../features/administration/users/users.tsx'
import { AdministrationScreen } from './administration-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

const named = (issuers: object[], holds_back = 1) => ({ 'account/issuers': { issuers, holds_back } })
const southern = {
  issuer: 'HIS',
  study_count: 3,
  newest: '2026-01-02 09:30:00.000000+00',
  ae_titles: [],
  is_outside: 0,
}

function show(permissions: Record<string, number>, path = '/administration', replies: object = named([])) {
  const root = createRootRoute()
  const administration = createRoute({
    getParentRoute: () => root,
    path: '/administration',
    component: AdministrationScreen,
  })
  const pages = [
    'organisation',
    'users',
    'groups',
    'roles',
    'security',
    'connections',
    'outbox',
    'refused',
    'work',
  ].map((one) => createRoute({ getParentRoute: () => administration, path: `/${one}` }))
  const routeTree = root.addChildren([administration.addChildren(pages)])
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [path] }) })
  showSignedIn(<RouterProvider router={router as never} />, { ...replies }, {}, permissions)
}

test('reminds administrators of authorities that hold exams back, until it is said whose they are', async () => {
  show({ account_edit: 1 }, '/administration', named([southern, { ...southern, issuer: 'SOUTH', is_outside: 1 }]))
  const words = await screen.findByText(/^Exams come under MRNs/)
  const banner = words.closest('[role="status"]') as HTMLElement
  expect(banner.textContent).toMatch(/by the authority that they name: HIS\. They are not sent/)
  const link = within(banner).getByRole('link', { name: 'Say whose MRNs they are' })
  expect(link.getAttribute('href')).toBe('/administration/organisation')
})

test.each([
  ['every one is known', '/administration', named([{ ...southern, is_outside: 1 }])],
  ['no destination holds them back', '/administration', named([southern], 0)],
  ['the page itself tells them', '/administration/organisation', named([southern])],
])('does not remind of authorities where %s', async (_why, path, replies) => {
  show({ account_edit: 1 }, path, replies)
  await nav()
  await waitFor(() => expect(lastSent('account/issuers')).toBeDefined())
  expect(screen.queryByText(/^Exams come under MRNs/)).toBeNull()
})

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
  [{ location_view: 1 }, ['Locations']],
  [{ account_audit_view: 1 }, ['Audit', 'Refused access']],
  [{ group_edit: 1, location_edit: 1, role_view: 1 }, ['Groups', 'Locations', 'Roles']],
  [{ group_edit: 1, role_view: 1 }, ['Groups', 'Roles']],
  [{ group_edit: 1, customfield_edit: 1 }, ['Groups']],
  [{ group_edit: 1, customfield_edit: 1, customfield_view: 1 }, ['Groups', 'Custom fields']],
  [
    { account_edit: 1 },
    [
      'Connections',
      'Access from outside',
      'First steps',
      'Organisation',
      'Security',
      'Keeping and purging',
      'Refused access',
      'Mail outbox',
      'What is stuck',
    ],
  ],
  [
    { account_edit: 1, account_user_view: 1 },
    [
      'Users',
      'Connections',
      'Access from outside',
      'First steps',
      'Organisation',
      'Security',
      'Keeping and purging',
      'Refused access',
      'Mail outbox',
      'What is stuck',
    ],
  ],
  [
    { account_edit: 1, audit_view: 1 },
    [
      'Connections',
      'Access from outside',
      'First steps',
      'Organisation',
      'Security',
      'Keeping and purging',
      'Audit',
      'Refused access',
      'Mail outbox',
      'What is stuck',
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

const page = { total: 0, more: 0, number: 1, rows: 10 }
const refusal = /^Only (administrators|people who may)/
const noRows = {
  'account/user/list': { users: [], page },
  'group/list': { groups: [], page },
  'location/list': { locations: [], page },
  'role/list': { roles: [], page },
  'route/list': { routes: [], page },
}
const subPages = [
  { path: 'users', component: Users, act: 'administerUsers', heading: 'Users' },
  { path: 'groups', component: Groups, act: 'administerGroups', heading: 'Groups' },
  { path: 'locations', component: Locations, act: 'administerLocations', heading: 'Locations' },
  { path: 'routing-rules', component: RoutingRules, act: 'administerRoutes', heading: 'Routing rules' },
] as const

test.each([
  ...roleTemplates.map(({ name, holds }) => [name, holds] as const),
  ['one for users alone', ['account_user_view']] as const,
  ['one for groups alone', ['group_view']] as const,
  ['one for locations alone', ['location_view']] as const,
  ['one for rules alone', ['route_view']] as const,
])(
  '[ROUTE-08] the role %s opens the sub-pages that it may, and is refused in words at the others',
  async (_, holds) => {
    for (const { path, component, act, heading } of subPages) {
      const root = createRootRoute()
      const parent = createRoute({
        getParentRoute: () => root,
        path: '/administration',
        component: AdministrationScreen,
      })
      const subPage = createRoute({ getParentRoute: () => parent, path: `/${path}`, component })
      const history = createMemoryHistory({ initialEntries: [`/administration/${path}`] })
      const router = createRouter({ routeTree: root.addChildren([parent.addChildren([subPage])]), history })
      const flags = Object.fromEntries(holds.map((one) => [one, 1]))
      const { unmount } = showSignedIn(
        <RouterProvider router={router as never} />,
        { ...noRows, ...named([]) },
        {},
        flags,
      )
      await screen.findByRole('heading', { name: 'Administration' })
      const isOpen = mayDo(act, { permissions: new Set(holds) })
      const shown = isOpen ? screen.findByRole('heading', { name: heading }) : screen.findByText(refusal)
      expect(await shown).toBeDefined()
      expect(screen.queryByText(refusal) === null).toBe(isOpen)
      unmount()
    }
  },
)
