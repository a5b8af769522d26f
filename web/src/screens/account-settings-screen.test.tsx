import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../test/routed.tsx'
import { showSignedIn } from '../../test/signed-in.tsx'
import { putSession, readSession } from '../session/session-store.ts'
import { AccountSettingsScreen } from './account-settings-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

test('[ROUTE-07] the settings begin with Profile, Password and Notifications', async () => {
  showRouted(<AccountSettingsScreen />)
  const links = within(await screen.findByRole('navigation', { name: 'Pages of the account settings' })).getAllByRole(
    'link',
  )
  expect(links.map((one) => [one.textContent, one.getAttribute('href')])).toEqual([
    ['Profile', '/account-settings'],
    ['Password', '/account-settings/password'],
    ['Notifications', '/account-settings/notifications'],
    ['Appearance', '/account-settings/appearance'],
    ['Two-factor sign-in', '/account-settings/two-factor'],
    ['Sign-in', '/account-settings/sign-in'],
    ['Sessions', '/account-settings/sessions'],
    ['Keys for programs', '/account-settings/keys'],
    ['Access from outside', '/account-settings/outside'],
  ])
})

test('in a support session the fields about the person are off, and one line says why', async () => {
  showRouted(<AccountSettingsScreen />)
  await screen.findByRole('navigation', { name: 'Pages of the account settings' })
  expect(screen.getByRole<HTMLFieldSetElement>('group').disabled).toBe(false)
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  act(() => putSession({ status: 'established', session: { ...state.session, proxyName: 'Sam Support' } }))
  expect(screen.getByRole<HTMLFieldSetElement>('group').disabled).toBe(true)
  expect(screen.getByText('In a support session nothing of the person is changed here.')).toBeDefined()
})

test.each([
  ['/account-settings', ['Profile']],
  ['/account-settings/', ['Profile']],
  ['/account-settings/notifications', ['Notifications']],
  ['/account-settings/two-factor', ['Two-factor sign-in']],
  ['/account-settings/sessions', ['Sessions']],
  ['/account-settings/keys', ['Keys for programs']],
  // it has a heading of its own, which is none of this frame
  ['/account-settings/outside', []],
])('the page at %s has its name for a heading', async (path, headings) => {
  const root = createRootRoute({ component: Outlet })
  const settings = createRoute({
    getParentRoute: () => root,
    path: 'account-settings',
    component: AccountSettingsScreen,
  })
  const page = createRoute({ getParentRoute: () => settings, path: '$', component: () => <p>Page</p> })
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = createRouter({ routeTree: root.addChildren([settings.addChildren([page])]), history })
  showSignedIn(<RouterProvider router={router as never} />)
  await screen.findByRole('navigation', { name: 'Pages of the account settings' })
  expect(screen.queryAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(headings)
})
