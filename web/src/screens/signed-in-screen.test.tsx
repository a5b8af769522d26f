import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { showRouted } from '../../test/routed.tsx'
import { lastSent, type Replies } from '../../test/signed-in.tsx'
import { SignedInScreen } from './signed-in-screen.tsx'
import { putSession, readSession } from '../session/session-store.ts'

afterEach(() => vi.unstubAllGlobals())

/** Somebody of two organisations who has chosen none yet. */
function show(replies: Replies = {}) {
  showRouted(<SignedInScreen />, replies)
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  const { account, user } = state.session
  const lakeside = { ...account, uuid: 'lake', name: 'Lakeside Radiology' }
  const accounts = [account, lakeside]
  const now = { ...state.session, accounts, asksAccount: { homeUuid: account.uuid } }
  putSession({ status: 'established', session: now })
  const answers: Replies = {
    'session/user': { ...user, home_account_id: account.uuid },
    'setting/get/all': { settings: {} },
    'account/list': { accounts },
  }
  return Object.assign(replies, answers, { 'session/permissions': { role_id: 'r' }, ...replies })
}
const press = (name: RegExp) => userEvent.click(screen.getByRole('button', { name }))

test('asks somebody of several organisations where to begin, goes on there, and keeps the choice', async () => {
  show()
  await screen.findByRole('heading', { name: 'Where do you begin?' })
  expect(screen.getByRole('button', { name: /where your login was made$/ }).textContent).toMatch(/^Northside/)
  await press(/^Lakeside Radiology/)
  await vi.waitFor(() => expect(screen.queryByRole('heading')).toBeNull())
  expect(readSession()).toMatchObject({ session: { account: { name: 'Lakeside Radiology' } } })
  expect(lastSent('setting/set')).toMatchObject({ key: 'last_account', value: 'lake' })
})

test('says that an organisation could not be opened, and lets another be chosen', async () => {
  const replies = show({ 'session/permissions': 500 })
  await screen.findByRole('heading', { name: 'Where do you begin?' })
  await press(/^Lakeside Radiology/)
  await screen.findByText('The organisation could not be opened. Please try again.')
  replies['session/permissions'] = { role_id: 'r' }
  await press(/^Northside/)
  await vi.waitFor(() => expect(screen.queryByRole('heading')).toBeNull())
  expect(readSession()).toMatchObject({ session: { account: { name: 'Northside' } } })
})
