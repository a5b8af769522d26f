import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls } from '../../../test/signed-in.tsx'
import { showRouted } from '../../../test/routed.tsx'
import { putSession } from '../../session/session-store.ts'
import { LoginForm } from './login-form.tsx'

afterEach(() => vi.unstubAllGlobals())

const refused = (error_type: string) => ({ status: 'ERROR', error_type })
const login = { sid: 's', session_id: 'one', expires_in: 900, pin_required: 1, pin_via: 'totp' }
const session: Replies = {
  'identity/offer': { provider: null },
  'session/user': { uuid: 'u', name: 'Mel', first: 'Mel', last: 'T', time_zone: '', session_expire: 60 },
  'setting/get/all': { settings: {} },
  'account/list': { accounts: [{ uuid: 'a', name: 'Northside', settings: {} }] },
  'session/permissions': { role_id: 'r' },
}

async function signIn(replies: Replies) {
  showRouted(<LoginForm />, { ...session, ...replies })
  putSession({ status: 'signedOut' })
  await userEvent.type(await screen.findByLabelText('Username'), 'mel')
  await userEvent.type(screen.getByLabelText('Password', { selector: 'input' }), 'secret2026')
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
}
const paths = () => sentCalls.map(({ path }) => path).filter((path) => path !== 'identity/offer')

test('asks for the code before anything else, and again when it was wrong', async () => {
  let isRight = false
  await signIn({ 'session/login': login, 'session/pin': () => (isRight ? { status: 'OK' } : refused('INVALID_PIN')) })
  const field = await screen.findByLabelText('Code')
  expect(document.activeElement).toBe(field)
  expect(paths()).toEqual(['session/login'])
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByText('Enter the code.')
  await userEvent.type(field, '000000{Enter}')
  await screen.findByText('The code is not right, or was used before. Wait for the next one.')
  isRight = true
  await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}')
  await vi.waitFor(() => expect(paths()).toContain('session/permissions'))
  expect(lastSent('session/pin')).toEqual({ pin: '123456' })
})

test('lets this browser be remembered, where that is asked for', async () => {
  await signIn({ 'session/login': login, 'session/pin': { status: 'OK' } })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Ask for no code in this browser for 30 days' }))
  await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}')
  await vi.waitFor(() => expect(lastSent('session/pin')).toEqual({ pin: '123456', remember_device: 1 }))
})

test('goes back to the password once the time or the tries are over', async () => {
  await signIn({ 'session/login': login, 'session/pin': refused('PIN_EXPIRED') })
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}')
  await screen.findByText(/The time for the code is over/)
  expect(screen.getByLabelText('Username')).toHaveProperty('value', 'mel')
  expect(screen.getByLabelText('Password', { selector: 'input' })).toHaveProperty('value', '')
})

test('sets a second factor up where the organisation requires one, and goes on after the recovery codes', async () => {
  await signIn({
    'session/login': { ...login, pin_via: 'setup' },
    'session/pin/begin': { secret: 'ABCDEFGH', address: 'otpauth://totp/Hilum:mel?secret=ABCDEFGH' },
    'session/pin/confirm': { recovery_codes: ['aaaa-bbbb-cccc-dddd'] },
  })
  await screen.findByText('Your organisation requires a second factor. Set it up to go on.')
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}')
  await screen.findByText('aaaa-bbbb-cccc-dddd')
  expect(paths()).not.toContain('session/user')
  await userEvent.click(screen.getByRole('button', { name: 'I have stored them' }))
  await vi.waitFor(() => expect(paths()).toContain('session/permissions'))
})
