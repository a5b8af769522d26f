import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showSignedIn } from '../../../test/signed-in.tsx'
import { putSession } from '../../session/session-store.ts'
import { LoginForm } from './login-form.tsx'

let sent: Record<string, unknown>[] = []
let codes: (string | [code: string, subtype: string])[] = []

beforeEach(async () => {
  sent = []
  const router = createRouter({
    routeTree: createRootRoute({ component: LoginForm }),
    history: createMemoryHistory(),
  })
  showSignedIn(<RouterProvider router={router as never} />)
  putSession({ status: 'signedOut' })
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (address.endsWith('identity/offer')) return Promise.resolve(Response.json({ status: 'OK', provider: null }))
    sent.push(JSON.parse(String(init.body)) as Record<string, unknown>)
    const [error_type, error_subtype] = [codes.shift()].flat()
    return Promise.resolve(Response.json({ status: 'ERROR', error_type, error_subtype }, { status: 412 }))
  })
  await userEvent.type(await screen.findByLabelText('Username'), 'ann')
  await userEvent.type(screen.getByLabelText('Password', { selector: 'input' }), 'old2026ok')
})
afterEach(() => vi.unstubAllGlobals())

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Log in' }))
const field = (name: string) => screen.getByLabelText(name, { selector: 'input' })

test('[AUTH-11] an expired password is answered with the fields of a new one, which go with the next login', async () => {
  codes = ['PASSWORD_RESET', ['BAD_PASSWORD', 'repeated']]
  await submit()
  await screen.findByText('Your password is expired. Please setup a new password.')
  expect(sent[0]).not.toHaveProperty('new_password')
  expect(document.activeElement).toBe(field('New password'))
  expect(screen.queryByText('Reset password is required.')).toBeNull()

  await submit()
  await screen.findByText('Reset password is required.')
  await userEvent.type(field('New password'), 'fresh-password-77')
  await screen.findByText('The first 8 characters must hold 2 numbers and 2 letters')
  await userEvent.clear(field('New password'))
  await userEvent.type(field('New password'), '77fresh-password')
  await userEvent.type(field('Confirm new password'), '77fresh')
  await screen.findByText('Passwords do not match.')
  expect(sent).toHaveLength(1)

  await userEvent.type(field('Confirm new password'), '-password')
  await submit()
  await screen.findByText("Reset Password can't be one of your last three passwords")
  expect(sent[1]).toMatchObject({ login: 'ann', password: 'old2026ok', new_password: '77fresh-password' })
})

test('asks nobody else for a new password', async () => {
  codes = ['PASSWORD_RESET', 'INVALID_CREDENTIALS']
  await submit()
  await screen.findByLabelText('New password', { selector: 'input' })
  await userEvent.type(screen.getByLabelText('Username'), 'a')
  expect(screen.queryByLabelText('New password', { selector: 'input' })).toBeNull()
  await submit()
  await screen.findByText('The username or the password is not right.')
  expect(sent[1]).not.toHaveProperty('new_password')
})

test.each([
  ['common', /This is a common password/],
  ['name', /must not hold your name/],
  ['product', /must not hold the name of this product/],
  ['rule', /8 characters or longer, containing 2 number and 2 letters$/],
])('says why a new password is refused: %s', async (subtype, words) => {
  codes = ['PASSWORD_RESET', ['BAD_PASSWORD', subtype]]
  await submit()
  await screen.findByText(/^8 characters or longer, containing 2 number and 2 letters, all of them within the first 8/)
  await userEvent.type(field('New password'), '77fresh-password')
  await userEvent.type(field('Confirm new password'), '77fresh-password')
  await submit()
  expect(await screen.findByText(words)).toBeTruthy()
})
