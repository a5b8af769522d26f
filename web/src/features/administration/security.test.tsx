import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { answersAfterProof, giveProof } from '../../../test/proof.ts'
import { showRouted } from '../../../test/routed.tsx'
import { holdAnswers, lastSent } from '../../../test/signed-in.tsx'
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

test('shows what is in force, also what a program set, and saves what was changed', async () => {
  show({ 'account/get': { ...now, session_expire: 15, pin_required: 1 } }, now)
  const password = await screen.findByLabelText<HTMLSelectElement>('Passwords expire after')
  expect(password.selectedOptions[0]?.text).toBe('45 days')
  await userEvent.selectOptions(screen.getByLabelText('Sessions end when they were not used for'), '15 minutes')
  await userEvent.click(screen.getByLabelText('Two-factor sign-in is required'))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('The security settings have been saved.')
  expect(lastSent('account/set')).toEqual({
    uuid: 'a',
    session_expire: 15,
    pin_required: 1,
    seen: { session_expire: 0, pin_required: 0 },
  })
  expect(screen.getByLabelText<HTMLSelectElement>('Sessions end when they were not used for').value).toBe('15')
})

test('says that somebody else changed it meanwhile, shows that, and saves over it what was changed here alone', async () => {
  let reply: unknown = { error_type: 'STALE' }
  show({ 'account/set': () => reply, 'account/get': { ...now, session_expire: 30, pin_required: 1 } }, now)
  const session = await screen.findByLabelText<HTMLSelectElement>('Sessions end when they were not used for')
  await userEvent.selectOptions(session, '15 minutes')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/Somebody else changed this while the form was open/)
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLInputElement>('Two-factor sign-in is required').checked).toBe(true),
  )
  expect(session.value).toBe('15')
  reply = {}
  await userEvent.click(screen.getByRole('button', { name: 'Save mine' }))
  await screen.findByText('The security settings have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', session_expire: 15 })
})

test('asks for a proof where the second factor is no longer to be required, and saves then', async () => {
  show({ ...answersAfterProof('account/set'), 'account/get': now }, { ...now, pin_required: 1 })
  await userEvent.click(await screen.findByLabelText('Two-factor sign-in is required'))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await giveProof()
  await screen.findByText('The security settings have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', pin_required: 0, seen: { pin_required: 1 } })
})

test('keeps what is chosen while it is being saved', async () => {
  show({ 'account/get': { ...now, session_expire: 15 } }, now)
  await userEvent.selectOptions(await screen.findByLabelText('Sessions end when they were not used for'), '15 minutes')
  const letGo = holdAnswers('account/set')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const box = screen.getByLabelText<HTMLInputElement>('Two-factor sign-in is required')
  await userEvent.click(box)
  letGo()
  await screen.findByText('The security settings have been saved.')
  expect(box.checked).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(lastSent('account/set')).toEqual({ uuid: 'a', pin_required: 1, seen: { pin_required: 0 } }),
  )
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
