import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCustomField } from '../../../../test/make-custom-field.ts'
import { answersAfterProof, giveProof } from '../../../../test/proof.ts'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { putSession, readSession } from '../../../session/session-store.ts'
import { UserForm } from './user-form.tsx'

afterEach(() => vi.unstubAllGlobals())

const person = {
  user_id: 'p',
  user_name: 'Nils Brandt',
  user_email: 'nils@clinic.example',
  first: 'Nils',
  last: 'Brandt',
  role_id: 'r2',
  groups: [{ uuid: 'g2', name: 'Oncology', role_id: 'r1', role_name: 'Staff' }],
  locations: [],
  other_accounts: 0,
  pin_required: 0,
  pin_demanded: 1,
  sso_only: 0,
  customfields: [makeCustomField('f1', 'Desk', { value: '12' }), makeCustomField('f2', 'Floor', { type: 'number' })],
}
const roles = [
  { uuid: 'r1', name: 'Staff', for_account: 1 },
  { uuid: 'r2', name: 'Viewer', for_account: 1 },
  { uuid: 'r3', name: 'Of groups', for_account: 0, for_group: 1 },
]
const groups = [
  { uuid: 'g1', name: 'Emergency' },
  { uuid: 'g2', name: 'Oncology' },
]
const administrator = { account_user_edit: 1, role_view: 1, group_edit: 1 }

function show(userId: string | undefined, replies: Replies = {}, permissions: Record<string, number> = administrator) {
  const [onSaved, onClose] = [vi.fn<(text: string) => void>(), vi.fn<() => void>()]
  const lists = {
    'role/list': { roles },
    'group/list': { groups },
    'customfield/list': { customfields: [], page: { more: 0 } },
  }
  const answers = { ...lists, 'account/user/get': person, ...replies }
  showSignedIn(<UserForm userId={userId} onSaved={onSaved} onClose={onClose} />, answers, {}, permissions)
  return { onSaved, onClose }
}
const savings = () => sentCalls.filter(({ path }) => path === 'account/user/set')
const field = (name: string) => screen.findByRole('textbox', { name })
const put = async (name: string, text: string) => {
  await userEvent.clear(await field(name))
  if (text) await userEvent.type(await field(name), text)
}
const send = (name = 'Send invitation') => userEvent.click(screen.getByRole('button', { name }))

test('invites somebody with a role and groups', async () => {
  const { onSaved } = show(undefined, { 'account/user/add': { uuid: 'n', invited: 1, has_smtp: 1 } })
  await put('First name', ' Ida ')
  await put('Last name', 'Holm')
  await put('E-mail', ' ida@clinic.example ')
  const role = screen.getByRole('combobox', { name: 'Role in the organisation' })
  await userEvent.selectOptions(role, 'Viewer')
  expect(role?.textContent).not.toContain('Of groups')
  expect(screen.getByText(/^In no group, a person sees no exams/)).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Emergency' }))
  expect(screen.queryByText(/^In no group/)).toBeNull()
  await send()
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith('An invitation has been sent to ida@clinic.example.'))
  expect(lastSent('account/user/add')).toEqual({
    uuid: 'a',
    first: 'Ida',
    last: 'Holm',
    email: 'ida@clinic.example',
    role_id: 'r2',
    groups: [{ uuid: 'g1', role_id: '' }],
  })
})

test('invites into the only group that there is, unless that is taken off', async () => {
  show(undefined, { 'group/list': { groups: groups.slice(0, 1) } })
  expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Emergency' })).checked).toBe(true)
})

test('says that the invitation does not leave where no mail server is set up, and who makes a link', async () => {
  const { onSaved } = show(undefined, { 'account/user/add': { uuid: 'n', invited: 1, has_smtp: 0 } })
  await put('First name', 'Ida')
  await put('E-mail', 'ida@clinic.example')
  await send()
  await waitFor(() =>
    expect(onSaved).toHaveBeenCalledWith(
      expect.stringMatching(
        /^No mail server is set up: the invitation of ida@clinic.example does not leave\. Whoever operates/,
      ),
    ),
  )
})

test('says when somebody had a login already', async () => {
  const { onSaved } = show(undefined, { 'account/user/add': { uuid: 'n', invited: 0 } })
  await put('First name', 'Ida')
  await put('E-mail', 'Ida Berg <ida@clinic.example>')
  await send()
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith('Ida had a login already and has been added.'))
  expect(lastSent('account/user/add')).toMatchObject({ email: 'ida@clinic.example' })
})

test('asks for a name and an address before anything is sent', async () => {
  show(undefined)
  await put('E-mail', 'nobody')
  await send()
  await screen.findByText('A first or last name is required.')
  await screen.findByText('This is not an e-mail address.')
  expect(lastSent('account/user/add')).toBeUndefined()
})

test.each([
  [{ error_type: 'ALREADY_EXISTS', error_subtype: 'p' }, 'Another user has this e-mail address.'],
  [{ error_type: 'DUPLICATE_EMAIL' }, 'Another user has this e-mail address.'],
  [{ error_type: 'INVALID_EMAIL' }, 'This is not an e-mail address.'],
  [{ error_type: 'INVALID_FIELD', error_subtype: 'first' }, 'Too long, or with signs that no name has.'],
  [{ error_type: 'INVALID_FIELD', error_subtype: 'last' }, 'Too long, or with signs that no name has.'],
  [
    { error_type: 'CAN_NOT_PROMOTE' },
    'In one of the groups or in the role, the user would be allowed more than you are.',
  ],
  [{ error_type: 'ROLE_NOT_FOUND' }, 'The role is not there any more. Choose another.'],
  [{ error_type: 'ROLE_NAMESPACE_MISMATCH' }, 'The role is not made for this.'],
  [{ error_type: 'NOT_FOUND', error_subtype: 'groups' }, 'One of the groups is not there any more.'],
  [
    { error_type: 'NOT_PERMITTED', error_subtype: 'LAST_ADMINISTRATOR' },
    'The user could not be saved. An organisation needs an administrator who has signed in.',
  ],
])('tells of %j in words and keeps what was typed', async (refusal, text) => {
  const { onSaved } = show(undefined, { 'account/user/add': refusal })
  await put('First name', 'Ida')
  await put('E-mail', 'ida@clinic.example')
  await send()
  await screen.findByText(text)
  expect(await field('E-mail')).toHaveProperty('value', 'ida@clinic.example')
  expect(onSaved).not.toHaveBeenCalled()
})

test('a refused value of no name stands above the form, and at no name', async () => {
  show(undefined, { 'account/user/add': { error_type: 'INVALID_FIELD', error_subtype: 'user_id' } })
  await put('First name', 'Ida')
  await put('E-mail', 'ida@clinic.example')
  await send()
  expect((await screen.findByRole('alert')).textContent).toContain('The user could not be saved.')
  expect(screen.queryByText('Too long, or with signs that no name has.')).toBeNull()
})

test('changes a user, whose own role in a group stays', async () => {
  const { onSaved } = show('p')
  await put('Last name', 'Berg')
  expect(await screen.findByRole('combobox', { name: 'Role in the organisation' })).toHaveProperty('value', 'r2')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Emergency' }))
  await send('Save')
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith('Nils Berg has been saved.'))
  expect(lastSent('account/user/set')).toEqual({
    uuid: 'a',
    user_id: 'p',
    last: 'Berg',
    groups: [
      { uuid: 'g2', role_id: 'r1' },
      { uuid: 'g1', role_id: '' },
    ],
    seen: expect.objectContaining({ first: 'Nils', role_id: 'r2', groups: person.groups }),
  })
})

test('leaves name and address of somebody of other organisations as they are, and one’s own address', async () => {
  show('p', { 'account/user/get': { ...person, other_accounts: 1 } })
  await screen.findByText(/^The user belongs to other organisations too, so/)
  expect(await field('First name')).toHaveProperty('disabled', true)
  expect(await field('E-mail')).toHaveProperty('disabled', true)
})

test('one’s own address is another administrator’s to change', async () => {
  show('u', { 'account/user/get': { ...person, user_id: 'u' } })
  expect(await field('First name')).toHaveProperty('disabled', false)
  expect(await field('E-mail')).toHaveProperty('disabled', true)
  await screen.findByText('Another administrator can change your e-mail address.')
})

test('gives a role within a group', async () => {
  show('p')
  const choice = await screen.findByRole('combobox', { name: 'Role in Oncology' })
  await userEvent.selectOptions(choice, 'Of groups')
  expect(screen.queryByRole('combobox', { name: 'Role in Emergency' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastSent('account/user/set')).toMatchObject({ groups: [{ uuid: 'g2', role_id: 'r3' }] }))
})

test('offers neither roles nor groups to who may not give them, and sends none', async () => {
  const { onSaved } = show('p', {}, { account_user_edit: 1 })
  await put('First name', 'Nelly')
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(screen.queryByRole('checkbox', { name: 'Emergency' })).toBeNull()
  await send('Save')
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(lastSent('account/user/set')).not.toHaveProperty('groups')
})

test('saves another address, and takes off a second factor, once the administrator has proven who sits there', async () => {
  const { onSaved } = show('p', answersAfterProof('account/user/set'))
  await put('E-mail', 'other@clinic.example')
  await send('Save')
  await giveProof()
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(savings()).toHaveLength(2)
  expect(lastSent('account/user/set')).toMatchObject({ email: 'other@clinic.example' })
  cleanup()
  const guarded = show('p', {
    'account/user/get': { ...person, pin_required: 1 },
    ...answersAfterProof('user/pin/reset'),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Reset two-factor sign-in' }))
  await userEvent.click(screen.getByRole('button', { name: 'Reset two-factor sign-in' }))
  const saved = savings().length
  await giveProof()
  await waitFor(() => expect(guarded.onSaved).toHaveBeenCalledOnce())
  expect(lastSent('user/pin/reset')).toEqual({ uuid: 'p' })
  // the form around it is not sent with the proof
  expect(savings()).toHaveLength(saved)
})

test('requires the second factor of one user, and sends the choice only where it was changed', async () => {
  const { onSaved } = show('p')
  const choice = await screen.findByRole('checkbox', { name: 'Two-factor sign-in is required of this user' })
  expect(choice).toHaveProperty('checked', true)
  await send('Save')
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(lastSent('account/user/set')).not.toHaveProperty('pin_demanded')
  await userEvent.click(choice)
  await send('Save')
  await waitFor(() => expect(lastSent('account/user/set')).toMatchObject({ pin_demanded: 0 }))
})

test('says where the organisation requires it of everybody, and shows what is required of oneself', async () => {
  show('u', { 'account/user/get': { ...person, user_id: 'u' } })
  await field('First name')
  await screen.findByText('Another administrator sets this for you.')
  expect(screen.getByRole('checkbox', { name: /^Two-factor/ })).toMatchObject({ disabled: true, checked: true })
  cleanup()
  show('p')
  await field('First name')
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  const account = { ...state.session.account, pin_required: 1 as const }
  act(() => putSession({ status: 'established', session: { ...state.session, account } }))
  const choice = await screen.findByRole('checkbox', { name: /^Two-factor/ })
  await waitFor(() => expect(choice).toHaveProperty('disabled', true))
  expect(choice).toHaveProperty('checked', true)
  await screen.findByText(/^The organisation requires it of everybody/)
})

test('says that the user could not be loaded, and tries again', async () => {
  let isDown = true
  show('p', { 'account/user/get': () => (isDown ? 500 : person) })
  await screen.findByText('The user could not be loaded.')
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await field('First name')).toHaveProperty('value', 'Nils')
})

test('[API-37] fills the custom fields of a user, sends what was changed, and holds back a value that does not fit', async () => {
  const { onSaved } = show('p')
  expect(await field('Desk')).toHaveProperty('value', '12')
  await put('Floor', 'third')
  await send('Save')
  await screen.findByText(/^Please enter a number/)
  expect(lastSent('account/user/set')).toBeUndefined()
  await put('Floor', '3')
  await send('Save')
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  const sent = lastSent('account/user/set')
  expect(sent).toMatchObject({ 'customfield-f2': '3', seen: { 'customfield-f1': '12', 'customfield-f2': '' } })
  expect(sent).not.toHaveProperty('customfield-f1')
})

test('[API-37] asks for the custom fields of people where somebody is invited, and tells a refusal in words', async () => {
  const definition = { ...makeCustomField('f1', 'Desk', { required: 1 }), object: 'User_account' }
  const customfields = [definition, { ...definition, uuid: 'f2', name: 'Ward', object: 'Study' }]
  const refused = { error_type: 'INVALID_CUSTOMFIELD', error_subtype: ['Desk: longer than 3 characters'] }
  const replies = { 'customfield/list': { customfields, page: { more: 0 } }, 'account/user/add': refused }
  show(undefined, replies, { ...administrator, customfield_view: 1 })
  await put('First name', 'Ida')
  await put('E-mail', 'ida@clinic.example')
  const desk = await screen.findByRole('textbox', { name: /^Desk/ })
  expect(screen.queryByRole('textbox', { name: 'Ward' })).toBeNull()
  await send()
  await screen.findByText('This field is required.')
  expect(lastSent('account/user/add')).toBeUndefined()
  await userEvent.type(desk, '12 B')
  await send()
  await screen.findByText('Desk: longer than 3 characters')
  expect(lastSent('account/user/add')).toMatchObject({ 'customfield-f1': '12 B' })
})

test('[API-37] takes the password from one user who signs in by the provider, and offers it to nobody for oneself', async () => {
  const { onSaved } = show('p')
  const choice = await screen.findByRole('checkbox', { name: /^Signs in by the organisation’s own login alone/ })
  expect(choice).toHaveProperty('checked', false)
  await userEvent.click(choice)
  await send('Save')
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(lastSent('account/user/set')).toMatchObject({ sso_only: 1, seen: { sso_only: 0 } })
  screen.getByText(/no password opens anything for this person/)
  cleanup()
  show('p', { 'account/user/get': { ...person, other_accounts: 1 } })
  await screen.findByText(/once the user has connected the own login in the account settings/)
  expect(screen.queryByText(/no password opens anything for this person/)).toBeNull()
  cleanup()
  show('u', { 'account/user/get': { ...person, user_id: 'u' } })
  await field('First name')
  expect(screen.queryByRole('checkbox', { name: /^Signs in by the organisation’s own login alone/ })).toBeNull()
})

test('sends the invitation again to whoever has not signed in yet, and to nobody else', async () => {
  const invited = { ...person, last_login: null, disabled: 0 }
  let reply: unknown = {}
  show('p', { 'account/user/get': invited, 'user/welcome': () => reply })
  const again = within(await screen.findByRole('group', { name: 'Invitation' }))
  await userEvent.click(again.getByRole('button', { name: 'Send the invitation again' }))
  expect(await again.findByText('An invitation has been sent to nils@clinic.example.')).toBeDefined()
  expect(lastSent('user/welcome')).toEqual({ account_id: 'a', email: 'nils@clinic.example' })
  reply = { has_smtp: 0 }
  await userEvent.click(again.getByRole('button', { name: 'Send the invitation again' }))
  expect(
    await again.findByText(/^No mail server is set up: the invitation of nils@clinic\.example does not leave/),
  ).toBeDefined()
  reply = { error_type: 'LOCKOUT' }
  await userEvent.click(again.getByRole('button', { name: 'Send the invitation again' }))
  expect(await again.findByText(/^Several invitations were sent within minutes/)).toBeDefined()
  for (const other of [{ last_login: '2026-11-20 20:15:00.000000+00' }, { disabled: 1 }]) {
    cleanup()
    show('p', { 'account/user/get': { ...invited, ...other } })
    await field('First name')
    expect(screen.queryByRole('group', { name: 'Invitation' })).toBeNull()
  }
})
