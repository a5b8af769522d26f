import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeSession, showSignedIn } from '../../test/signed-in.tsx'
import { putSession } from '../session/session-store.ts'
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

test.each([
  ['cine', 'Keys of the viewer'],
  ['keyboard', 'Keys of the viewer'],
  ['window level', 'View images'],
  ['offline', 'When something does not work'],
  ['merge', 'Mixed patients and merging'],
  ['wrong patient', 'Correct a patient or exam'],
  ['dark', 'Your settings'],
  ['share link expires', 'Share and send'],
  ['CD', 'Upload studies'],
  ['burn', 'Download'],
  ['anonymise', 'Download'],
  ['pdf', 'Attachments'],
  ['report', 'Reports'],
  ['forgot password', 'Sign in'],
  ['undelete', 'Move, delete and restore'],
  ['move', 'Move, delete and restore'],
  ['prior', 'An open exam'],
  ['accession', 'Orders'],
  ['logo', 'Administration'],
])('the words %j find the part %j', async (words, title) => {
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue()
  const root = createRootRoute()
  const help = createRoute({ getParentRoute: () => root, path: '/help', component: HelpScreen })
  const history = createMemoryHistory({ initialEntries: ['/help'] })
  showSignedIn(<RouterProvider router={createRouter({ routeTree: root.addChildren([help]), history }) as never} />)
  const search = await screen.findByRole('searchbox', { name: 'Search the help' })
  await userEvent.type(search, words)
  await waitFor(() => expect(screen.getByRole('heading', { level: 2, name: title })).toBeTruthy())
})

test.each([
  ['help@hospital.example', 'mailto:help@hospital.example'],
  ['https://help.hospital.example/hilum', 'https://help.hospital.example/hilum'],
])('the address of help that the organisation gave leads there: %s', async (help_address, target) => {
  const root = createRootRoute()
  const help = createRoute({ getParentRoute: () => root, path: '/help', component: HelpScreen })
  const history = createMemoryHistory({ initialEntries: ['/help'] })
  const router = createRouter({ routeTree: root.addChildren([help]), history })
  showSignedIn(<RouterProvider router={router as never} />)
  const session = makeSession()
  const account = { ...session.account, settings: { ...session.account.settings, help_address } }
  putSession({ status: 'established', session: { ...session, account } })
  expect((await screen.findByRole('link', { name: help_address })).getAttribute('href')).toBe(target)
})
