import type { Study } from '@hilum/contract/entities/study'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderHook, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { readSession } from '../../session/session-store.ts'
import { noteRecentStudy } from '../../state/recent-studies.ts'
import { forgetSavedList, useSavedListAsked } from '../../state/saved-list.ts'
import { noFilters, setSearchFilters, useSearchFilters } from '../../state/search-filters.ts'
import { FindButton } from './find-button.tsx'
import { NavSearches } from './nav-searches.tsx'

const place = (name: string, type = 'group_id') => ({
  uuid: `ns-${name}`,
  name,
  type,
  type_uuid: name,
  permissions: { study_view: 1, study_upload: 1, ...(name === 'Cardiology' && { link_edit: 1 }) },
  settings: { inbox_config: { group_designation: 'CLOUD', active_study_filters: [] } },
})
const search = (name: string, patientName: string, more: object = {}) => ({
  uuid: `search-${name}`,
  name,
  type: 'Study',
  configuration: { web: { ...noFilters, patientName } },
  namespace_id: null,
  owner_name: 'Ann',
  is_mine: 1,
  may_edit: 1,
  ...more,
})

beforeEach(() => setSearchFilters(noFilters))

async function show(filters: object[] = [], permissions: Record<string, number> = {}) {
  const root = createRootRoute({
    component: () => (
      <Suspense>
        <FindButton />
        <NavSearches />
      </Suspense>
    ),
  })
  const paths = [
    '/',
    '/group/list',
    '/group/$groupId/{-$state}',
    '/study/upload',
    '/study/request/$groupId',
    '/account-settings',
  ]
  const tree = root.addChildren(paths.map((path) => createRoute({ getParentRoute: () => root, path })))
  const router = createRouter({ routeTree: tree, history: createMemoryHistory({ initialEntries: ['/'] }) })
  showSignedIn(
    <RouterProvider router={router as never} />,
    {
      'user/namespace/list': { namespaces: [place('Neurology'), place('Cardiology'), place('me', 'user_id')] },
      'filter/list': { filters },
      'study/count': (sent: Record<string, unknown>) => ({
        count: String(sent['filter.patient_name.like'] ?? '').includes('Kov') ? 100 : 3,
      }),
    },
    {},
    permissions,
  )
  await screen.findByRole('button', { name: 'Go to' })
  return router
}
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent.trim())

test('Ctrl K leads to a group by letters of its name, without accents and in any order of words', async () => {
  const router = await show()
  await userEvent.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: /^Name of a study/ })
  expect(document.activeElement).toBe(field)
  await userEvent.type(field, 'shared ńeuro')
  // after the entries, so that Enter opens what was typed
  expect(options()).toEqual([
    'Neurology Shared',
    'Neurology Shared w/ group',
    'Search all groups for the patient “shared ńeuro”',
  ])
  await userEvent.click(screen.getByRole('option', { name: 'Neurology Shared' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/Neurology/Shared'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('what no entry is called is looked for as a patient’s name', async () => {
  const router = await show()
  await userEvent.click(screen.getByRole('button', { name: 'Go to' }))
  await userEvent.type(await screen.findByRole('combobox'), ' Kovač {Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/list'))
  expect(useSearchFilters.getState()).toEqual({ ...noFilters, patientName: 'Kovač' })
})

test('saved searches stand in the navigation with their counts, and open where their group is', async () => {
  const router = await show([search('Knees', 'Kov'), search('Team', 'x', { namespace_id: 'ns-Cardiology' })])
  const listed = within(await screen.findByRole('region', { name: 'Saved searches' }))
  await listed.findByRole('button', { name: /^Knees.*99\+ studies$/ })
  expect(listed.getByRole('button', { name: /^Team.*3 studies$/ }).getAttribute('aria-current')).toBeNull()
  await userEvent.click(listed.getByRole('button', { name: /Team/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/Cardiology'))
  expect(useSearchFilters.getState().patientName).toBe('x')
  expect(listed.getByRole('button', { name: /Team/ }).getAttribute('aria-current')).toBe('true')
})

test('the heading of the saved searches opens their list, on the screen that has one', async () => {
  const router = await show([search('Knees', 'Kov')])
  const heading = await screen.findByRole('heading', { name: 'Saved searches' })
  await userEvent.click(within(heading).getByRole('button'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/group/list'))
  expect(renderHook(() => useSavedListAsked()).result.current).toBe(1)
  await router.navigate({ to: '/group/Neurology' } as never)
  await userEvent.click(within(heading).getByRole('button'))
  expect(router.state.location.pathname).toBe('/group/Neurology')
  forgetSavedList()
})

test('studies opened in this session come first, and are not told to the next', async () => {
  const router = await show()
  const state = readSession()
  const study = { uuid: 's1', phi_namespace: 'ns-Neurology', patient_name: 'Doe^Jane', patientid: 'M7' } as Study
  if (state.status === 'established') noteRecentStudy(state.session.sessionId, study)
  noteRecentStudy('another session', { ...study, uuid: 's2', patient_name: 'Roe^Rick' })
  await userEvent.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox')
  expect(screen.queryByText(/DOE/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  if (state.status === 'established') noteRecentStudy(state.session.sessionId, study)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.keyboard('{Control>}k{/Control}')
  await waitFor(() => expect(options()[0]).toContain('DOE, Jane'))
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.search).toMatchObject({ study: 's1' }))
})

const found = async (typed: string) => {
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox'), typed)
  return options().filter((text) => !text.startsWith('Search all groups'))
}

test('settings are reached by their names, by everybody', async () => {
  await show()
  expect(await found('two-factor')).toEqual(['Two-factor sign-in Account settings'])
})

test.each<[Record<string, number>, string[]]>([
  [{}, []],
  [{ account_user_view: 1 }, ['Administration', 'Users Administration']],
])('[ADMIN-USERS-02] with %o the palette leads to the pages of the administration: %j', async (permissions, pages) => {
  await show([], permissions)
  expect(await found('administration')).toEqual(pages)
})

test('what can be begun in a group is offered for the groups where it is allowed, and clears the search', async () => {
  const router = await show()
  setSearchFilters({ ...noFilters, patientName: 'x' })
  expect(await found('request study')).toEqual(['Request study Cardiology'])
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/study/request/Cardiology'))
  expect(useSearchFilters.getState()).toEqual(noFilters)
})
