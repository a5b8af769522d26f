import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, showSignedIn } from '../../test/signed-in.tsx'
import { ApiFailure } from '../api/api-failure.ts'
import { useProof } from './use-proof.tsx'

afterEach(() => vi.unstubAllGlobals())

function Act() {
  const proof = useProof()
  const handleClick = () => proof.ask(new ApiFailure('PROOF_REQUIRED'), () => undefined)
  return (
    <>
      {proof.dialog}
      <button type="button" onClick={handleClick}>
        Act
      </button>
    </>
  )
}
const identity = { account: 'Northside', email: '', since: '', last_used: '', sso_only: 1 }
const identities = [
  { ...identity, provider: 'p', button: 'Northside ID', is_linked: 1 },
  { ...identity, provider: 'q', button: 'Southside ID', is_linked: 0 },
]

test('lets people without a password prove by the login of their organisation who sits there', async () => {
  showSignedIn(<Act />, {
    'identity/list': { identities },
    'identity/link/begin': { status: 'ERROR', error_type: 'SSO_REFUSED', error_subtype: 'UNREACHABLE' },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Act' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Or sign in anew with Northside ID, and come back' }))
  await screen.findByText('The login of your organisation cannot be reached. Please try again later.')
  expect(lastSent('identity/link/begin')).toEqual({ provider: 'p', purpose: 'prove' })
  expect(screen.queryByRole('button', { name: /Southside ID/ })).toBeNull()
})
