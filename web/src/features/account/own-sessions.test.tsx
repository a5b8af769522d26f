import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { OwnSessions } from './own-sessions.tsx'

afterEach(() => vi.unstubAllGlobals())

const session = (session_id: string, given: object = {}) => ({
  session_id,
  is_current: 0,
  created: '2026-11-20 08:15:00.000000+00',
  last_used: '2026-11-20 09:00:00.000000+00',
  expires: '2026-11-20 12:00:00.000000+00',
  client_address: '198.51.100.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  method: 'password',
  ...given,
})
const own = session('own', {
  is_current: 1,
  user_agent:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 (KHTML, like Gecko) Version/18.5 Safari/605',
})
const program = session('program', { user_agent: 'curl/8.5', client_address: '', method: 'basic' })
const strange = session('strange', { user_agent: '', method: 'sso' })

const show = (replies: Replies) => showSignedIn(<OwnSessions />, { 'session/device/list': { devices: [] }, ...replies })
const rows = async () => (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent)

test('shows browser, system, address and times of each, and which is this one', async () => {
  show({ 'session/list': { sessions: [own, session('ward'), program, strange] } })
  const [first, second, third, fourth] = await rows()
  expect(first).toMatch(/^Safari on macOSThis session198\.51\.100\.7.*08:15by password/)
  expect(first).toMatch(/now$/)
  expect(second).toMatch(/^Firefox on Linux198\.51\.100\.7/)
  expect(third).toMatch(/^curlNot known.*by a program/)
  expect(fourth).toMatch(/^Unknown program.*by the login of an organisation/)
  expect(screen.getAllByRole('button', { name: /^End the session of/ })).toHaveLength(3)
})

test('ends one, with the keyboard as well, and reads the list anew', async () => {
  let sessions = [own, session('ward')]
  show({
    'session/list': () => ({ sessions }),
    'session/end': () => {
      sessions = [own]
      return { ended: 1 }
    },
  })
  const end = await screen.findByRole('button', { name: /^End the session of Firefox on Linux/ })
  end.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByText('The session has been ended.')
  expect(lastSent('session/end')).toMatchObject({ session_id: 'ward' })
  await screen.findByText('You are signed in nowhere else.')
  expect(await rows()).toHaveLength(1)
})

test('ends all others once they are asked about again', async () => {
  show({ 'session/list': { sessions: [own, session('ward'), program] }, 'session/end': { ended: 2 } })
  await userEvent.click(await screen.findByRole('button', { name: 'End all others' }))
  const question = screen.getByRole('group', { name: 'End all others' })
  expect(question.textContent).toContain('in the other 2 sessions')
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(lastSent('session/end')).toBeUndefined()
  await userEvent.click(screen.getByRole('button', { name: 'End all others' }))
  await userEvent.click(screen.getByRole('button', { name: 'End all others' }))
  await screen.findByText('2 sessions have been ended.')
  expect(lastSent('session/end')).toMatchObject({ others: 1 })
})

test('says that a list could not be loaded, and loads it again', async () => {
  let isDown = true
  show({ 'session/list': () => (isDown ? 500 : { sessions: [own] }) })
  await screen.findByText('The sessions could not be loaded.')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('You are signed in nowhere else.')
  expect(sentCalls.map(({ path }) => path)).toContain('session/list')
})

test('says that a session could not be ended', async () => {
  show({ 'session/list': { sessions: [own, session('ward')] }, 'session/end': () => 500 })
  await userEvent.click(await screen.findByRole('button', { name: /^End the session/ }))
  expect((await screen.findByRole('alert')).textContent).toContain('could not be ended')
})

test('lists browsers that are asked for no code, and forgets them', async () => {
  let devices = [
    {
      device_id: 'd1',
      client_address: '198.51.100.7',
      user_agent: session('x').user_agent,
      created: '2026-11-20 08:15:00.000000+00',
      last_used: '2026-11-20 08:15:00.000000+00',
      expires_at: '2026-12-20 08:15:00.000000+00',
    },
  ]
  show({
    'session/list': { sessions: [own] },
    'session/device/list': () => ({ devices }),
    'session/device/forget': () => {
      devices = []
      return {}
    },
  })
  const listed = await screen.findByRole('table', { name: 'Browsers that are asked for no code' })
  expect(within(listed).getByText('Firefox on Linux')).toBeDefined()
  await userEvent.click(within(listed).getByRole('button', { name: /^Forget Firefox on Linux/ }))
  await screen.findByText('The browser is asked for a code from its next sign-in on.')
  expect(lastSent('session/device/forget')).toEqual({ device_id: 'd1' })
  expect(screen.queryByRole('table', { name: 'Browsers that are asked for no code' })).toBeNull()
})
