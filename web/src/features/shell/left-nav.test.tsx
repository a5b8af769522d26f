import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { noFilters, setSearchFilters, useSearchFilters } from '../../state/search-filters.ts'
import { Suspense } from 'react'
import { LeftNav } from './left-nav.tsx'

const namespace = (name: string, designation: string, permissions: Record<string, number>, type = 'group_id') => ({
  uuid: `ns-${name}`,
  name,
  type,
  type_uuid: name,
  permissions,
  settings: type === 'group_id' ? { inbox_config: { group_designation: designation, active_study_filters: [] } } : {},
})
const all = { study_upload: 1, study_delete: 1, link_edit: 1, destination_search: 1 }
const namespaces = [
  namespace('zulu', 'CLOUD', all),
  namespace('alpha', 'CLOUD', {}),
  namespace('uploads', 'CLOUD', { study_view: 1, study_upload: 1 }),
  namespace('requests', 'CLOUD', { study_view: 1, link_edit: 1 }),
  namespace('retrieves', 'CLOUD', { study_view: 1, destination_search: 1 }),
  namespace('books', 'LIBRARY', all),
  namespace('me', '', {}, 'user_id'),
  namespace('org', '', {}, 'account_id'),
]

async function show(at: string, counts: (filters: Record<string, unknown>) => number = () => 0) {
  const root = createRootRoute({
    component: () => (
      <Suspense>
        <LeftNav />
      </Suspense>
    ),
  })
  const paths = [
    '/group/list',
    '/group/$groupId/{-$state}',
    '/study/upload',
    '/study/request/$groupId',
    '/study/retrieve/$groupId',
  ]
  const tree = root.addChildren(paths.map((path) => createRoute({ getParentRoute: () => root, path })))
  const router = createRouter({ routeTree: tree, history: createMemoryHistory({ initialEntries: [at] }) })
  showSignedIn(<RouterProvider router={router as never} />, {
    'user/namespace/list': { namespaces },
    'study/count': (sent: Record<string, unknown>) => ({ count: counts(sent) }),
  })
  await screen.findByText('All My Groups')
  return router
}
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent)

test('[SHELL-11] [SHELL-13] places: the personal ones, then library and cloud groups by name; opening one goes to it', async () => {
  const router = await show('/group/list')
  expect(buttons()).toEqual([
    'My studies',
    'Organisation inbox',
    'books',
    'alpha',
    'requests',
    'retrieves',
    'uploads',
    'zulu',
  ])
  await userEvent.click(screen.getByRole('button', { name: /alpha/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/alpha'))
  await userEvent.click(screen.getByRole('button', { name: /alpha/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/list'))
})

test('[SHELL-11] [ROUTE-03] opening a group from a state of another leads to its own first state', async () => {
  const router = await show('/group/zulu/Deleted')
  await userEvent.click(screen.getByRole('button', { name: /alpha/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/alpha'))
})

test('[LIST-11] order and status stay when another group or state is chosen; page and selection go', async () => {
  const router = await show('/group/zulu/Inbox?sort=name-asc&work=open&page=3&study=s')
  await userEvent.click(screen.getByRole('button', { name: /alpha/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/alpha'))
  expect(router.state.location.search).toEqual({ sort: 'name-asc', work: 'open' })
  await userEvent.click(screen.getByRole('link', { name: 'Shared' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/alpha/Shared'))
  expect(router.state.location.search).toEqual({ sort: 'name-asc', work: 'open' })
})

test('[SHELL-12] an open group lists its states, each with its address', async () => {
  await show('/group/zulu/Inbox')
  expect(screen.getByRole('link', { name: 'Shared w/ group' }).getAttribute('href')).toBe(
    '/group/zulu/Shared%20w%2F%20group',
  )
})

test.each([
  ['New Case', '/study/upload'],
  ['Request study', '/study/request/zulu'],
  ['Retrieve study', '/study/retrieve/zulu'],
])('[SHELL-09] [SHELL-10] %s of a cloud group clears the search and leads to %s', async (name, path) => {
  const router = await show('/group/zulu/Inbox')
  setSearchFilters({ ...noFilters, patientName: 'doe', mrn: '1' })
  await userEvent.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(router.state.location.pathname).toBe(path))
  expect(useSearchFilters.getState()).toEqual(noFilters)
})

test.each([
  ['uploads', 'New Case'],
  ['requests', 'Request study'],
  ['retrieves', 'Retrieve study'],
])('[PERM-06] who holds the one permission in %s has %s alone', async (group, name) => {
  await show(`/group/${group}/Inbox`)
  const shown = screen.getAllByRole('button', { name: /New Case|Request study|Retrieve study/ })
  expect(shown.map(({ textContent }) => textContent)).toEqual([name])
})

test.each([
  ['without permission', '/group/alpha/Inbox'],
  ['in a library', '/group/books/Inbox'],
  ['in no group', '/group/list'],
])('[SHELL-09] [PERM-06] no such buttons %s', async (_where, at) => {
  await show(at)
  expect(screen.queryByRole('button', { name: /New Case|Request study|Retrieve study/ })).toBeNull()
})

test('what can be begun in a group stands below the groups, so that opening one moves none of them', async () => {
  await show('/group/zulu/Inbox')
  const begin = screen.getByRole('button', { name: 'New Case' })
  const groups = screen.getAllByRole('heading', { level: 2 })
  const isBefore = (group: HTMLElement) =>
    (group.compareDocumentPosition(begin) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  expect(groups.length).toBeGreaterThan(1)
  expect(groups.every(isBefore)).toBe(true)
})

test('badges count what is not done, in one request for all of them, and stop at 99', async () => {
  await show('/group/zulu/Inbox', (sent) => (sent['filter.phi_namespace.equals'] === 'ns-zulu' ? 100 : 3))
  expect(await screen.findByRole('link', { name: 'Inbox 99+ not done' })).toBeTruthy()
  expect(screen.getByRole('button', { name: /alpha 3 not done/ })).toBeTruthy()
  const asked = sentCalls.filter(({ path }) => path === 'study/count')
  expect(asked[0]?.sent).toMatchObject({ cap: 99, 'filter.work_status.in': ['new', 'in_progress'] })
  expect(asked.some(({ sent }) => 'filter.is_deleted.equals' in sent)).toBe(false)
})
