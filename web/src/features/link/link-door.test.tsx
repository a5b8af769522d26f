import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { storeBegunRequest } from '../../queries/opened-link.ts'
import { LinkDoor } from './link-door.tsx'

const status = { action: 'STUDY_VIEW', state: 'open', has_password: 0, password_is_dob: 0, pin_auth: 0 }
const opened = { sid: 'sid1', action: 'STUDY_VIEW', study_count: 1, expires_at: '2026-03-11 10:00:00.000000+00' }

function show(of: object = {}, replies: Replies = {}) {
  const onOpened = vi.fn()
  showSignedIn(<LinkDoor token="secret" onOpened={onOpened} />, {
    'link/status': { ...status, ...of },
    'link/session': opened,
    ...replies,
  })
  return onOpened
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const sessions = () => sentCalls.filter(({ path }) => path === 'link/session')

test('opens nothing by being looked at: that takes the button', async () => {
  const onOpened = show()
  await screen.findByRole('button', { name: 'Open exam' })
  expect(sessions()).toEqual([])
  await press('Open exam')
  await waitFor(() => expect(onOpened.mock.calls[0]?.[0]).toEqual({ sid: 'sid1', action: 'STUDY_VIEW' }))
  expect(lastSent('link/session')).toEqual({ token: 'secret' })
})

test('asks for the password, and says when it is missing or wrong without losing the page', async () => {
  let isRight = false
  const onOpened = show(
    { has_password: 1 },
    { 'link/session': () => (isRight ? opened : { error_type: 'INVALID_CREDENTIALS' }) },
  )
  await press('Open exam')
  expect(screen.getByText('Type the password first.')).toBeDefined()
  expect(sessions()).toEqual([])
  await userEvent.type(screen.getByLabelText('Password'), 'walrus8')
  await press('Open exam')
  expect(await screen.findByText('That is not the password.')).toBeDefined()
  expect(screen.getByLabelText('Password')).toHaveProperty('value', '')
  isRight = true
  await userEvent.type(screen.getByLabelText('Password'), 'walrus7')
  await press('Open exam')
  await waitFor(() => expect(onOpened).toHaveBeenCalledOnce())
  expect(lastSent('link/session')).toEqual({ token: 'secret', password: 'walrus7' })
})

test('asks for the whole date of birth', async () => {
  show({ password_is_dob: 1 })
  await screen.findByRole('group', { name: 'Date of birth' })
  await userEvent.type(screen.getByLabelText('Day'), '3')
  await userEvent.type(screen.getByLabelText('Year, four digits'), '1971')
  await press('Open exam')
  expect(screen.getByText('Type all of the date: year, month and day.')).toBeDefined()
  expect(sessions()).toEqual([])
  await userEvent.selectOptions(screen.getByLabelText('Month'), 'February')
  await press('Open exam')
  await waitFor(() => expect(lastSent('link/session')).toEqual({ token: 'secret', password: '1971-02-03' }))
})

test.each([
  ['expired', 'This link has ended'],
  ['ended', 'This link was revoked'],
  ['used', 'This link is used up'],
  ['locked', 'This link is locked'],
  ['waiting', 'There is nothing to see yet'],
])('says that a link is %s, and asks for nothing', async (state, text) => {
  show({ state, has_password: 1 })
  expect(await screen.findByText(text)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Open exam' })).toBeNull()
  // from a state that asking again cannot change, the way on is the sign-in
  const mayChange = ['locked', 'waiting'].includes(state)
  expect(screen.queryAllByRole('button', { name: 'Try again' })).toHaveLength(mayChange ? 1 : 0)
  expect(screen.queryAllByRole('link', { name: 'Log in' })).toHaveLength(mayChange ? 0 : 1)
})

test.each([
  [{ error_type: 'NOT_FOUND' }, 'There is no such link'],
  [{ error_type: 'LOCKOUT' }, 'Too many tries from here'],
])('says what became of %j', async (refusal, text) => {
  show({}, { 'link/status': refusal })
  expect(await screen.findByText(text)).toBeDefined()
})

test.each([
  [{ error_type: 'EXPIRED', error_subtype: 'used' }, 'This link is used up'],
  [{ error_type: 'EXPIRED', error_subtype: 'ended' }, 'This link was revoked'],
  [{ error_type: 'EXPIRED', error_subtype: 'expired' }, 'This link has ended'],
  [{ error_type: 'LOCKOUT', error_subtype: 'password' }, 'This link is locked'],
  [{ error_type: 'PHANTOM' }, 'There is nothing to see yet'],
])('says what became of the link meanwhile: %j', async (refusal, text) => {
  show({}, { 'link/session': refusal })
  await press('Open exam')
  expect(await screen.findByText(text)).toBeDefined()
})

test('a lost network loses nothing that was typed', async () => {
  show(
    { has_password: 1 },
    {
      'link/session': () => {
        throw new TypeError('Failed to fetch')
      },
    },
  )
  await userEvent.type(await screen.findByLabelText('Password'), 'walrus7')
  await press('Open exam')
  expect(await screen.findByText(/There is no connection to the server/)).toBeDefined()
  expect(screen.getByLabelText('Password')).toHaveProperty('value', 'walrus7')
})

test('says that no code leaves where no mail server is set up', async () => {
  show({ pin_auth: 1 }, { 'link/pin/send': { status: 'OK', has_smtp: 0 } })
  await press('Mail me a code')
  expect(await screen.findByText(/^No code leaves, since no mail server is set up here/)).toBeDefined()
  expect(screen.queryByText(/on its way/)).toBeNull()
})

test('has a code mailed when the person asks for it, and opens with it', async () => {
  let answer: object = { error_type: 'INVALID_PIN' }
  const onOpened = show({ pin_auth: 1 }, { 'link/session': () => answer })
  await press('Open exam')
  expect(screen.getByText('Type the code from the mail first.')).toBeDefined()
  expect(sentCalls.map(({ path }) => path)).not.toContain('link/pin/send')
  await press('Mail me a code')
  expect(await screen.findByText(/The code is on its way/)).toBeDefined()
  expect(lastSent('link/pin/send')).toEqual({ token: 'secret' })
  await userEvent.type(screen.getByLabelText('Code'), '111111')
  await press('Open exam')
  expect(await screen.findByText('That is not the code of the last mail.')).toBeDefined()
  expect(screen.getByLabelText('Code')).toHaveProperty('value', '')
  answer = opened
  await userEvent.type(screen.getByLabelText('Code'), '123456')
  await press('Open exam')
  await waitFor(() => expect(onOpened).toHaveBeenCalledOnce())
  expect(lastSent('link/session')).toEqual({ token: 'secret', pin: '123456' })
})

test('says so when too many codes were mailed, and when the code holds no more', async () => {
  show(
    { pin_auth: 1 },
    {
      'link/pin/send': { error_type: 'LOCKOUT', error_subtype: 'pin' },
      'link/session': { error_type: 'PIN_EXPIRED' },
    },
  )
  await press('Mail me a code')
  expect(await screen.findByText(/Too many codes were asked for/)).toBeDefined()
  await userEvent.type(screen.getByLabelText('Code'), '123456')
  await press('Open exam')
  expect(await screen.findByText(/This code holds no more/)).toBeDefined()
})

test('a request that this browser has open goes on with its use after a crash, and asks for the password again', async () => {
  await storeBegunRequest('secret', { sid: 'sid0', action: 'STUDY_UPLOAD' })
  // what outlasts the crash names neither the session nor the address
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/sid0|secret/)
  show({ action: 'STUDY_UPLOAD', has_password: 1 }, { 'link/session': { ...opened, action: 'STUDY_UPLOAD' } })
  await userEvent.type(await screen.findByLabelText('Password'), 'walrus7')
  await press('Open')
  const again = '75d3f2e2a6378f15753f21c1ab173aed3892cc28a68399ea465193d485d81e64'
  await waitFor(() => expect(lastSent('link/session')).toEqual({ token: 'secret', password: 'walrus7', again }))
  expect(lastSent('link/status')).toEqual({ token: 'secret', again })
  await storeBegunRequest('secret', undefined)
  expect(JSON.stringify({ ...localStorage })).not.toContain(again)
})

test('nothing is remembered of an opened link to look at exams', async () => {
  await storeBegunRequest('secret', { sid: 'sid0', action: 'STUDY_VIEW' })
  expect(localStorage.getItem('hilum.begun-requests')).toBeNull()
})
