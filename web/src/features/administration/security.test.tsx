import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../../test/routed.tsx'
import { lastSent } from '../../../test/signed-in.tsx'
import { putSession, readSession } from '../../session/session-store.ts'
import { Security } from './security.tsx'

afterEach(() => vi.unstubAllGlobals())

function show(
  replies: Record<string, unknown>,
  account: object,
  permissions: Record<string, number> = { account_edit: 1 },
) {
  const routed = showRouted(<Security />, replies)
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  const session = { ...state.session, permissions, account: { ...state.session.account, ...account } }
  putSession({ status: 'established', session })
  return routed
}
const now = { password_expire: 45, session_expire: 0, pin_required: 0 }

test('shows what is in force, also what a program set, and saves all of it', async () => {
  show({ 'account/get': { ...now, session_expire: 15, pin_required: 1 } }, now)
  const password = await screen.findByLabelText<HTMLSelectElement>('Passwords expire after')
  expect(password.selectedOptions[0]?.text).toBe('45 days')
  await userEvent.selectOptions(screen.getByLabelText('Sessions end when they were not used for'), '15 minutes')
  await userEvent.click(screen.getByLabelText('Two-factor sign-in is required'))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('The security settings have been saved.')
  expect(lastSent('account/set')).toEqual({
    uuid: 'a',
    password_expire: 45,
    session_expire: 15,
    pin_required: 1,
    seen: now,
  })
  expect(screen.getByLabelText<HTMLSelectElement>('Sessions end when they were not used for').value).toBe('15')
})

test('says that somebody else changed it meanwhile, and saves over that when asked to', async () => {
  let reply: unknown = { error_type: 'STALE' }
  show({ 'account/set': () => reply, 'account/get': { ...now, pin_required: 1 } }, now)
  await userEvent.click(await screen.findByLabelText('Two-factor sign-in is required'))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/Somebody else changed this while the form was open/)
  reply = {}
  await userEvent.click(screen.getByRole('button', { name: 'Save mine' }))
  await screen.findByText('The security settings have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', ...now, pin_required: 1 })
})

test('says that it could not be saved, and keeps what was chosen; Clear takes it back', async () => {
  show({ 'account/set': 500 }, now)
  const box = await screen.findByLabelText<HTMLInputElement>('Two-factor sign-in is required')
  await userEvent.click(box)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/could not be saved/)
  expect(box.checked).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(box.checked).toBe(false)
})

test('is for administrators of the organisation', async () => {
  show({}, now, {})
  expect((await screen.findByRole('alert')).textContent).toContain('Only administrators')
})
