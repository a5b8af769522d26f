import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { answersAfterProof, giveProof } from '../../../../test/proof.ts'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { putSession, readSession } from '../../../session/session-store.ts'
import { System } from './system.tsx'

afterEach(() => {
  globalThis.history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
})

const organisation = (uuid: string, name: string, support_until: string | null) => ({
  uuid,
  name,
  created: '2026-11-20 20:15:00.000000+00',
  user_count: 12,
  group_count: 3,
  has_studies: 1,
  administrators: support_until ? [{ name: 'Hanna Ruiz', email: 'hanna@south.example' }] : [],
  support_until,
})
const replies: Replies = {
  'system/account/list': {
    accounts: [
      organisation('s', 'Clinic South', '2026-12-01 20:15:00.000000+00'),
      organisation('w', 'Clinic West', null),
    ],
    page: { more: 0, rows: 10, number: 1, total: 2 },
  },
  'system/user/list': {
    users: [
      { uuid: 'u', name: 'Mel Tanaka', email: 'mel@clinic.example', sysadmin: 1, support: 0, disabled: 0 },
      { uuid: 'o', name: 'Ola Berg', email: 'ola@clinic.example', sysadmin: 0, support: 1, disabled: 0 },
    ],
  },
  'account/add': { uuid: 'n', namespace_id: 'ns-n', invited: 1 },
  'system/account/users': {
    users: [{ uuid: 'p', name: 'Hanna Ruiz', email: 'hanna@south.example', role_name: 'Administrator' }],
    more: 0,
  },
}

function show(flags: { sysadmin: number; support: number }, more: Replies = {}) {
  const shown = showSignedIn(null, { ...replies, ...more })
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  putSession({ ...state, session: { ...state.session, user: { ...state.session.user, ...flags } } })
  shown.unmount()
  const session = readSession()
  showSignedIn(<System />, { ...replies, ...more })
  putSession(session)
  return userEvent.setup()
}

test('a system administrator closes an organisation whose name was typed', async () => {
  const user = show({ sysadmin: 1, support: 0 }, { 'account/delete': {} })
  await user.click(await screen.findByRole('button', { name: 'Close Clinic West' }))
  await user.type(screen.getByRole('textbox', { name: /^Type the name of the organisation/ }), 'Clinic West')
  await user.click(screen.getByRole('button', { name: 'Close for good' }))
  expect(await screen.findByText('Clinic West is closed.')).toBeTruthy()
  expect(lastSent('account/delete')).toEqual({ uuid: 'w' })
})

const closed = { uuid: 'e', name: 'Clinic Elm (closed 2026-11-20, 0a1b2c3d)', closed: '2026-11-20 20:15:00.000000+00' }
const closedReplies: Replies = {
  'system/account/closed': { accounts: [closed], page: { more: 0, rows: 10, number: 1, total: 1 } },
  'system/account/audit': {
    events: [
      {
        uuid: '1',
        action: 'DELETE',
        type: 'Account',
        what: 'e',
        who: 'Nils Brandt',
        proxy: '',
        when: '2026-11-20 20:15:00.000000+00',
        detail: {},
        with: '',
        client_address: '',
        actor_kind: 'user',
        object_name: 'Clinic Elm',
        names: {},
        study: null,
      },
    ],
    page: { more: 0, rows: 10, number: 1, total: 1 },
  },
}

test('a system administrator reads the audit of an organisation that was closed, and goes back step by step', async () => {
  const user = show({ sysadmin: 1, support: 0 }, closedReplies)
  await user.type(await screen.findByRole('textbox', { name: 'Name of the organisation' }), 'sou')
  await user.click(screen.getByRole('button', { name: 'Closed organisations' }))
  await user.click(await screen.findByRole('button', { name: `Audit of ${closed.name}` }))
  await screen.findByRole('heading', { name: `Audit of ${closed.name}` })
  const row = await screen.findByRole('row', { name: /Nils Brandt/ })
  expect(within(row).getByText('Deleted')).toBeTruthy()
  expect(lastSent('system/account/audit')).toMatchObject({ account_id: 'e', 'page.number': 1 })
  // what was typed to find an open organisation finds no closed one
  const found = sentCalls.filter(({ path }) => path === 'system/account/closed')
  expect(found.some(({ sent }) => 'filter.name.like' in sent)).toBe(false)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Act' }), 'Deleted')
  await waitFor(() => expect(lastSent('system/account/audit')).toMatchObject({ 'filter.action.equals': 'DELETE' }))
  await user.click(screen.getByRole('button', { name: 'Back to the closed organisations' }))
  await screen.findByRole('heading', { name: 'Closed organisations' })
  await user.click(screen.getByRole('button', { name: 'Back to the organisations' }))
  expect(await screen.findByRole('row', { name: /Clinic South/ })).toBeTruthy()
  expect(globalThis.location.search).toBe('')
})

test('a supporter is offered no closed organisation, also not by an address', async () => {
  globalThis.history.replaceState(null, '', '/?view=closed&audit=e')
  show({ sysadmin: 0, support: 1 }, closedReplies)
  await screen.findByRole('row', { name: /Clinic South/ })
  expect(screen.queryByRole('button', { name: 'Closed organisations' })).toBeNull()
  expect(lastSent('system/account/audit')).toBeUndefined()
})

test('[PERM-02] lists every organisation, and offers to sign in only where support is let in', async () => {
  show({ sysadmin: 0, support: 1 })
  const south = await screen.findByRole('row', { name: /Clinic South/ })
  expect(within(south).getByText('Hanna Ruiz')).toBeTruthy()
  expect(within(south).getByRole('button', { name: 'Sign in as a person of Clinic South' })).toBeTruthy()
  const west = screen.getByRole('row', { name: /Clinic West/ })
  expect(within(west).getByText('Nobody')).toBeTruthy()
  expect(within(west).queryByRole('button')).toBeNull()
  expect(screen.queryByRole('button', { name: 'New organisation' })).toBeNull()
})

test('is refused to people without the flags', () => {
  show({ sysadmin: 0, support: 0 })
  expect(screen.getByText('Only system administrators and supporters may open this page.')).toBeTruthy()
})

test('makes an organisation with an administrator who is invited', async () => {
  const user = show({ sysadmin: 1, support: 0 })
  await user.click(await screen.findByRole('button', { name: 'New organisation' }))
  await user.click(screen.getByRole('button', { name: 'Create organisation' }))
  expect(screen.getByText('Type a name of at most 100 characters.')).toBeTruthy()
  expect(screen.getByText('Type an e-mail address.')).toBeTruthy()
  await user.type(screen.getByLabelText('Name'), ' Clinic East ')
  await user.type(screen.getByLabelText('E-mail address'), 'ea@east.example')
  await user.type(screen.getByLabelText('First name'), 'Ea')
  await user.click(screen.getByRole('button', { name: 'Create organisation' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('account/add')).toMatchObject({
    name: 'Clinic East',
    administrator_email: 'ea@east.example',
    administrator_first: 'Ea',
  })
})

test('says at the field what the server refuses', async () => {
  const user = show({ sysadmin: 1, support: 0 }, { 'account/add': { status: 'ERROR', error_type: 'DUPLICATE_NAME' } })
  await user.click(await screen.findByRole('button', { name: 'New organisation' }))
  await user.type(screen.getByLabelText('Name'), 'Clinic East')
  await user.click(screen.getByRole('radio', { name: 'I do' }))
  await user.click(screen.getByRole('button', { name: 'Create organisation' }))
  expect(await screen.findByText('Another organisation has this name.')).toBeTruthy()
  expect(lastSent('account/add')).not.toHaveProperty('administrator_email')
})

test('gives flags to others after a proof, and leaves one’s own alone', async () => {
  const user = show({ sysadmin: 1, support: 0 }, answersAfterProof('system/user/set'))
  expect(await screen.findByRole('checkbox', { name: 'System administrator: Mel Tanaka' })).toHaveProperty(
    'disabled',
    true,
  )
  await user.click(screen.getByRole('checkbox', { name: 'System administrator: Ola Berg' }))
  await giveProof()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lastSent('system/user/set')).toMatchObject({ email: 'ola@clinic.example', sysadmin: 1 })
})

test('says that an organisation lets support in no more only where the server says so, and reads its people again otherwise', async () => {
  const flags = { sysadmin: 0, support: 1 }
  const gone = 'The organisation does not let support in any more, or the person is gone.'
  let reply: unknown = 500
  const user = show(flags, { 'system/account/users': () => reply })
  await user.click(await screen.findByRole('button', { name: 'Sign in as a person of Clinic South' }))
  await screen.findByText('The people of the organisation could not be loaded.')
  expect(screen.queryByText(gone)).toBeNull()
  reply = replies['system/account/users']
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('option', { name: /Hanna Ruiz/ })).toBeTruthy()
  document.body.replaceChildren()
  reply = { status: 'ERROR', error_type: 'NOT_FOUND' }
  show(flags, { 'system/account/users': () => reply })
  await user.click(await screen.findByRole('button', { name: 'Sign in as a person of Clinic South' }))
  expect(await screen.findByText(gone)).toBeTruthy()
})

test('signs a supporter in as somebody else only with a reason', async () => {
  const user = show({ sysadmin: 0, support: 1 }, { 'session/proxy': { status: 'ERROR', error_type: 'USER_NOT_FOUND' } })
  await user.click(await screen.findByRole('button', { name: 'Sign in as a person of Clinic South' }))
  await screen.findByRole('option', { name: /Hanna Ruiz/ })
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(screen.getByText('Choose a person.')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Person'), 'p')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(screen.getByText('Type a reason.')).toBeTruthy()
  expect(lastSent('session/proxy')).toBeUndefined()
  await user.type(screen.getByLabelText('Reason'), 'Ticket 17')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(
    await screen.findByText('The organisation does not let support in any more, or the person is gone.'),
  ).toBeTruthy()
  expect(lastSent('session/proxy')).toMatchObject({ account_id: 's', user_id: 'p', reason: 'Ticket 17', short: 1 })
})
