import { act, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../test/routed.tsx'
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
