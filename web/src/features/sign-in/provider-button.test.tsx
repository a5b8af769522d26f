import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent } from '../../../test/signed-in.tsx'
import { putSession } from '../../session/session-store.ts'
import { LoginForm } from './login-form.tsx'

afterEach(() => vi.unstubAllGlobals())

const provider = { uuid: 'p', button: 'Northside ID', account: 'Northside', sso_only: 0 }

test('offers the login of the organisation, and says why the way there is closed', async () => {
  showRouted(<LoginForm />, {
    'identity/offer': { provider, begin_at: `${location.origin}/` },
    'identity/begin': { status: 'ERROR', error_type: 'SSO_REFUSED', error_subtype: 'UNREACHABLE' },
  })
  putSession({ status: 'signedOut' })
  await userEvent.click(await screen.findByRole('button', { name: 'Log in with Northside ID' }))
  await screen.findByText('The login of your organisation cannot be reached. Please try again later.')
  expect(lastSent('identity/begin')).toEqual({ provider: 'p' })
})

test('offers nothing where no provider is known, and begins with the words of a refusal', async () => {
  showRouted(<LoginForm startFault="provider.fault.NOT_MAPPED" />, {
    'identity/offer': { provider: null, begin_at: '' },
  })
  putSession({ status: 'signedOut' })
  await screen.findByText(/The groups of your login give you no role here/)
  expect(screen.queryByRole('button', { name: /Log in with/ })).toBeNull()
})
