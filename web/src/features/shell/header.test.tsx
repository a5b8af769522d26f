import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { putSession, readSession, type Session } from '../../session/session-store.ts'
import { homePath } from '../../session/advanced-mode.ts'
import { Header } from './header.tsx'
import { MainMenu } from './main-menu.tsx'

async function show(shown: ReactNode, change: Partial<Session> = {}, accountSettings: Record<string, string> = {}) {
  const root = createRootRoute({ component: () => shown })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  showSignedIn(<RouterProvider router={router as never} />)
  const state = readSession()
  if (state.status !== 'established') throw new Error('showSignedIn signs in')
  const account = { ...state.session.account, settings: accountSettings }
  putSession({ status: 'established', session: { ...state.session, account, ...change } })
}

const administrator = { permissions: { account_user_view: 1 } }
const names = () => screen.getAllByRole('menuitem').map((item) => item.textContent)

test('[SHELL-03] welcomes by name, and names the organisation to who has several', async () => {
  await show(<Header />)
  expect((await screen.findByText(/Welcome,/)).textContent).toBe('Welcome, Mel Tanaka')
  const accounts = [
    { uuid: 'a', name: 'Northside' },
    { uuid: 'b', name: 'Southside' },
  ] as Session['accounts']
  await show(<Header />, { accounts })
  expect((await screen.findAllByText(/Welcome,/)).at(-1)?.textContent).toBe('Welcome, Mel Tanaka (Northside)')
})

test('[SHELL-04] [SHELL-06] [PERM-02] the menu of one who administers nothing has no Administration and no Advanced UI', async () => {
  await show(<MainMenu />)
  await screen.findByRole('menuitem', { name: 'Inbox' })
  expect(names()).toEqual(['Help', 'Inbox', 'Account settings', 'Dark colours', 'Log out'])
})

test('[SHELL-04] [SHELL-06] [PERM-02] [ROUTE-17] an administrator gets both, Administration in a tab of its own', async () => {
  await show(<MainMenu />, administrator)
  const item = await screen.findByRole('menuitem', { name: 'Administration' })
  expect(item.getAttribute('target')).toBe('_blank')
  expect(names()).toEqual([
    'Help',
    'Inbox',
    'Account settings',
    'Dark colours',
    'Administration',
    'Advanced UI',
    'Log out',
  ])
})

test('the menu leads to each other organisation of the person, and to none where there is one alone', async () => {
  const accounts = [
    { uuid: 'a', name: 'Northside' },
    { uuid: 'b', name: 'Southside', settings: {} },
  ] as Session['accounts']
  await show(<MainMenu />, { accounts })
  await screen.findByRole('menuitem', { name: 'Inbox' })
  const ways = names().filter((name) => name?.endsWith('side'))
  expect(ways).toHaveLength(1)
  const replies: Record<string, unknown> = {
    'session/user': readSession().status === 'established' ? { uuid: 'u1', name: 'Mel Tanaka' } : {},
    'setting/get/all': { settings: {} },
    'account/list': { accounts },
    'session/permissions': { status: 'OK', study_view: 1 },
  }
  vi.stubGlobal('fetch', async (address: string) => Response.json(replies[address.replace('/api/v3/', '')] ?? {}))
  await userEvent.click(screen.getByRole('menuitem', { name: ways[0] ?? '' }))
  await vi.waitFor(() =>
    expect(readSession()).toMatchObject({ status: 'established', session: { account: { uuid: 'b' } } }),
  )
})

test('[SHELL-05] hide_administration_tab hides it from administrators too', async () => {
  await show(<MainMenu />, administrator, { hide_administration_tab: '1' })
  await screen.findByRole('menuitem', { name: 'Inbox' })
  expect(names()).not.toContain('Administration')
})

test('[SHELL-06] inbox_allow_switch_between_modes shows the Advanced UI to everybody', async () => {
  await show(<MainMenu />, {}, { inbox_allow_switch_between_modes: '1' })
  expect(await screen.findByRole('menuitem', { name: 'Advanced UI' })).toBeTruthy()
})

test('[ROUTE-16] using the Advanced link is kept for the session', async () => {
  await show(<MainMenu />, administrator)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Advanced UI' }))
  expect(homePath()).toBe('/worklist')
})

test('the menu turns the page dark and light again', async () => {
  await show(<MainMenu />)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Dark colours' }))
  await expect.poll(() => document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  await show(<MainMenu />)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Light colours' }))
  await expect.poll(() => document.documentElement.dataset['mantineColorScheme']).toBe('light')
})
