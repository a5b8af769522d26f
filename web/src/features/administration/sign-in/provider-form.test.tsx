import type { IdentityProvider } from '@hilum/contract/calls/identity'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../../test/routed.tsx'
import { lastSent, type Replies } from '../../../../test/signed-in.tsx'
import { SignInProvider } from './sign-in-provider.tsx'

afterEach(() => vi.unstubAllGlobals())

const provider: IdentityProvider = {
  uuid: 'i',
  is_on: 1,
  button: 'Hospital',
  issuer: 'https://id.example',
  client_id: 'hilum',
  scopes: 'openid',
  email_claim: 'email',
  first_claim: '',
  last_claim: '',
  groups_claim: '',
  domains: [],
  rules: [],
  unmapped_role_id: '',
  creates_people: 0,
  sso_only: 0,
  trusts_second_factor: 0,
  acr_values: '',
  row_version: 1,
}
const ofProvider = /^Saving this signs out everybody who came in by this provider\./
const ofPeople = /^Saving this signs out people who are set to sign in by the provider alone/
const ofPasswords = /^Saving this signs out people who came in by a password/

const pageOf = (fields: Partial<IdentityProvider>) => ({
  provider: { ...provider, ...fields },
  redirect_address: '',
  logout_address: '',
})
function show(fields: Partial<IdentityProvider>, replies: Replies = {}) {
  showRouted(
    <SignInProvider />,
    {
      'identity/provider/get': pageOf(fields),
      'role/list': { roles: [] },
      'group/list': { groups: [] },
      ...replies,
    },
    {},
    {
      account_edit: 1,
      account_user_edit: 1,
      role_edit: 1,
    },
  )
}
const isSaid = () => ({
  byProvider: screen.queryByText(ofProvider) !== null,
  byPassword: screen.queryByText(ofPasswords) !== null,
})

test('says before saving what ends where the provider is switched off, and nothing while nothing ends', async () => {
  show({})
  const isOn = await screen.findByRole('checkbox', { name: 'People may sign in by this provider' })
  expect(isSaid()).toEqual({ byProvider: false, byPassword: false })
  await userEvent.click(isOn)
  expect(isSaid()).toEqual({ byProvider: true, byPassword: false })
  await userEvent.click(isOn)
  expect(isSaid()).toEqual({ byProvider: false, byPassword: false })
})

test('says it of another issuer, and of passwords that are refused from then on', async () => {
  show({})
  await userEvent.type(await screen.findByRole('textbox', { name: 'Issuer' }), '/other')
  expect(isSaid()).toEqual({ byProvider: true, byPassword: false })
  await userEvent.click(screen.getByRole('checkbox', { name: /^Passwords are refused/ }))
  expect(isSaid()).toEqual({ byProvider: true, byPassword: true })
})

test('says nothing of passwords while the provider is off, and says it where it comes on with them', async () => {
  show({ is_on: 0, sso_only: 1 })
  const isOn = await screen.findByRole('checkbox', { name: 'People may sign in by this provider' })
  expect(isSaid()).toEqual({ byProvider: false, byPassword: false })
  await userEvent.click(isOn)
  expect(isSaid()).toEqual({ byProvider: false, byPassword: true })
})

test('says of those whom the provider alone is asked for that it ends their passwords where it comes on', async () => {
  show({ is_on: 0 })
  const isOn = await screen.findByRole('checkbox', { name: 'People may sign in by this provider' })
  expect(screen.queryByText(ofPeople)).toBeNull()
  await userEvent.click(isOn)
  expect(screen.getByText(ofPeople)).toBeDefined()
  expect(isSaid()).toEqual({ byProvider: false, byPassword: false })
  // where everybody is asked it once
  await userEvent.click(screen.getByRole('checkbox', { name: /^Passwords are refused/ }))
  expect(screen.queryByText(ofPeople)).toBeNull()
  expect(isSaid()).toEqual({ byProvider: false, byPassword: true })
})

test('says at the removal of the provider that those who came in by it are signed out', async () => {
  show({})
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the provider' }))
  expect(screen.getByRole('group', { name: 'Remove the provider' }).textContent).toContain(
    'Everybody who came in by this provider is signed out, but for you here.',
  )
})

test('keeps what was typed where somebody else changed the provider meanwhile, and saves it over that when asked', async () => {
  let [stored, isChanged] = [pageOf({}), false]
  show(
    {},
    {
      'identity/provider/get': () => stored,
      'identity/provider/set': () => (isChanged ? { error_type: 'STALE' } : {}),
    },
  )
  const scopes = await screen.findByRole('textbox', { name: 'Scopes' })
  await userEvent.type(scopes, ' email')
  stored = pageOf({ client_id: 'of a colleague', row_version: 2 })
  isChanged = true
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/Somebody else changed this while the form was open/)
  expect(lastSent('identity/provider/set')).toMatchObject({ row_version: 1 })
  // what was not changed here shows the other change
  await screen.findByDisplayValue('of a colleague')
  expect(scopes).toHaveProperty('value', 'openid email')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(lastSent('identity/provider/set')).toMatchObject({ row_version: 1 }))
  await screen.findByText(/Somebody else changed this while the form was open/)
  isChanged = false
  await userEvent.click(await screen.findByRole('button', { name: 'Save mine' }))
  await screen.findByText('The provider has been saved.')
  expect(lastSent('identity/provider/set')).toMatchObject({ scopes: 'openid email', client_id: 'of a colleague' })
  expect(lastSent('identity/provider/set')).not.toHaveProperty('row_version')
})
