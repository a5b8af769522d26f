import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { dropNotice, useNotices } from '../../../state/notices.ts'
import { Users } from './users.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
  for (const id of said) dropNotice(id)
})

const said = new Set<number>()
/** The passing words that stand, as the frame around the page shows them. */
function Said() {
  const notices = useNotices()
  for (const { id } of notices) said.add(id)
  return notices.map(({ id, text }) => <p key={id}>{text}</p>)
}

const user = (user_id: string, given: object = {}) => ({
  uuid: user_id,
  user_id,
  user_name: `User ${user_id}`,
  user_email: `${user_id}@clinic.example`,
  first: 'User',
  last: user_id,
  role_id: 'r1',
  role_name: 'Staff',
  disabled: 0,
  account_login: '',
  is_above: 0,
  customfields: [],
  last_login: '2026-11-20 20:15:00.000000+00',
  ...given,
})
/** More users than a page holds, of whom every third is disabled; "u" is the person who is signed in. */
const everybody = ['u', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map((id, at) =>
  user(id, { disabled: at % 3 === 1 ? 1 : 0 }),
)
const paged = (sent: Record<string, unknown>) => {
  const [rows, number] = [Number(sent['page.rows']), Number(sent['page.number'])]
  const users = everybody.slice((number - 1) * rows, number * rows)
  return { users, page: { more: number * rows < everybody.length ? 1 : 0, rows, number, total: everybody.length } }
}
const roles = [
  { uuid: 'r1', name: 'Staff', for_account: 1 },
  { uuid: 'r2', name: 'Viewer', for_account: 1 },
  { uuid: 'r3', name: 'Of groups', for_account: 0 },
]
const groups = [
  { uuid: 'g1', name: 'Emergency' },
  { uuid: 'g2', name: 'Oncology' },
]
const answers: Replies = {
  'account/user/list': paged,
  'role/list': { roles, page: {} },
  'customfield/list': { customfields: [], page: {} },
  'group/list': { groups, page: {} },
}
const administrator = { account_user_view: 1, account_user_edit: 1, role_view: 1, group_edit: 1 }

const show = (replies: Replies = {}, permissions: Record<string, number> = administrator, settings = {}) =>
  showSignedIn(
    <>
      <Users />
      <Said />
    </>,
    { ...answers, ...replies },
    settings,
    permissions,
  )
const table = () => screen.findByRole('grid', { name: 'Users' })
const rowTexts = async () =>
  within(await table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const tick = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }))
const sentTo = (path: string) => sentCalls.filter((one) => one.path === path).map((one) => one.sent)

test('[ADMIN-USERS-03] shows name, e-mail address, last login in its fixed form, and role', async () => {
  const users = [user('a'), user('b', { last_login: null })]
  show({ 'account/user/list': { users, page: { more: 0, rows: 10, number: 1, total: 2 } } })
  const heads = within(await table())
    .getAllByRole('columnheader')
    .map((one) => one.textContent)
  expect(heads).toEqual(['', 'User name', 'E-mail', 'Last login', 'Role name', 'Actions'])
  expect(await rowTexts()).toEqual([
    'User aa@clinic.example2026-11-20 08:15 PMStaff',
    'User bb@clinic.exampleNeverStaff',
  ])
})

test.each(['popstate', 'currententrychange'])(
  'filters by the address alone, also when that changes: %s',
  async (type) => {
    const navigation = new EventTarget()
    vi.stubGlobal('navigation', navigation)
    history.replaceState(null, '', '/administration/users?first=Mei')
    show()
    await rowTexts()
    expect(lastSent('account/user/list')).toMatchObject({ 'filter.user.first.like': '%Mei%' })
    const go = async (address: string) => {
      history.replaceState(null, '', address)
      await act(async () => (type === 'popstate' ? globalThis : navigation).dispatchEvent(new Event(type)))
    }
    await go('/administration/users')
    await waitFor(() => expect(lastSent('account/user/list')).not.toHaveProperty(['filter.user.first.like']))
    await go('/administration/users?first=Ida')
    await waitFor(() => expect(lastSent('account/user/list')).toMatchObject({ 'filter.user.first.like': '%Ida%' }))
    vi.unstubAllGlobals()
    history.replaceState(null, '', '/')
  },
)

test('an e-mail address breaks before its @, also where it stands for a name', async () => {
  const email = 'a.long-name@clinic.example'
  const users = [user('a', { user_email: email }), user('b', { user_name: email, user_email: email })]
  show({ 'account/user/list': { users, page: { more: 0, rows: 10, number: 1, total: 2 } } })
  const texts = await screen.findAllByText(email)
  expect(texts.map((one) => one.innerHTML)).toEqual(Array(3).fill('a.long-name<wbr>@clinic.example'))
})

test('[GRID-01][GRID-03][GRID-04] pages and sorts by the server, ten rows at first, and on only while more follow', async () => {
  show()
  expect(await rowTexts()).toHaveLength(10)
  expect(lastSent('account/user/list')).toMatchObject({
    uuid: 'a',
    'page.rows': 10,
    'page.number': 1,
    sort_by: 'user_name-asc',
  })
  await screen.findByText('1 to 10 of 12')
  const choice = screen.getByRole('combobox', { name: 'Rows per page' })
  expect(
    within(choice)
      .getAllByRole('option')
      .map((one) => one.textContent),
  ).toEqual(['10', '25', '50', '100'])
  expect(screen.getByRole('button', { name: 'Previous page' })).toHaveProperty('disabled', true)
  await press('Next page')
  await screen.findByText('11 to 12 of 12')
  expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
  await press('E-mail')
  expect(lastSent('account/user/list')).toMatchObject({ 'page.number': 1, sort_by: 'user_email-asc' })
  await press('E-mail')
  expect(lastSent('account/user/list')).toMatchObject({ sort_by: 'user_email-desc' })
  expect(screen.getByRole('columnheader', { name: 'E-mail' })?.getAttribute('aria-sort')).toBe('descending')
})

test('[ADMIN-USERS-08] shows as many rows as the person chose, and keeps a new choice', async () => {
  show({}, administrator, { users_rows_to_display: '25' })
  expect(await rowTexts()).toHaveLength(12)
  expect(lastSent('account/user/list')).toMatchObject({ 'page.rows': 25 })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50')
  await waitFor(() => expect(lastSent('setting/set')).toMatchObject({ key: 'users_rows_to_display', value: '50' }))
  expect(lastSent('account/user/list')).toMatchObject({ 'page.rows': 50 })
})

test('[GRID-02] keeps what is selected across pages', async () => {
  show()
  await tick('Select User c')
  await press('Next page')
  await tick('Select User k')
  expect(screen.getByText('2 users selected')).toBeTruthy()
  await press('Previous page')
  expect(await screen.findByRole('checkbox', { name: 'Select User c' })).toHaveProperty('checked', true)
  await tick('Select all of this page')
  expect(screen.getByText('11 users selected')).toBeTruthy()
  await tick('Select all of this page')
  expect(screen.getByText('1 user selected')).toBeTruthy()
  await press('Clear selection')
  expect(screen.queryByText(/selected/)).toBeNull()
})

test('[ADMIN-USERS-07] marks who is disabled by a word and a style of its own', async () => {
  show()
  const row = (name: string) => screen.getByText(name).closest('tr')
  await table()
  expect(row('User b')?.textContent).toContain('Disabled')
  expect(row('User b')?.getAttribute('data-dimmed')).toBe('true')
  expect(row('User c')?.textContent).not.toContain('Disabled')
  expect(row('User c')?.getAttribute('data-dimmed')).toBe('false')
})

test('[ADMIN-USERS-05] a filter panel opens and closes, with the roles as a filter', async () => {
  show()
  await table()
  expect(screen.queryByRole('form', { name: 'Filter users' })).toBeNull()
  await press('Filter')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Role' }), 'Viewer')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Disabled')
  await userEvent.type(screen.getByRole('textbox', { name: 'Last name' }), ' 50%_b ')
  await waitFor(() =>
    expect(lastSent('account/user/list')).toMatchObject({
      'page.number': 1,
      'filter.role_id.equals': 'r2',
      'filter.user_disabled.equals': 1,
      'filter.user.last.like': '%50_b%',
    }),
  )
  await press('Clear filter')
  await waitFor(() => expect(lastSent('account/user/list')).not.toHaveProperty('filter.role_id.equals'))
  await press('Filter')
  expect(screen.queryByRole('form', { name: 'Filter users' })).toBeNull()
})

test('a role that gives more than its giver holds cannot be chosen, and says why', async () => {
  const above = { uuid: 'r9', name: 'Chief', for_account: 1, for_group: 1, is_above: 1 }
  show({ 'role/list': { roles: [...roles, above], page: {} } })
  await table()
  await press('Invite user')
  const role = await screen.findByRole('combobox', { name: 'Role in the organisation' })
  const options = within(role).getAllByRole<HTMLOptionElement>('option')
  expect(options.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    ['Staff', false],
    ['Viewer', false],
    ['Chief (more than you may do)', true],
  ])
})

test('[ADMIN-USERS-04] enables, disables and deletes a user after a question, and says so', async () => {
  show()
  for (const [button, title, act, path, sent] of [
    ['Disable User c', 'Disable user?', 'Disable', 'user/enable', { uuid: 'c', disable: 1 }],
    ['Enable User b', 'Enable user?', 'Enable', 'user/enable', { uuid: 'b', disable: 0 }],
    ['Delete User d', 'Delete user?', 'Delete', 'account/user/delete', { uuid: 'a', user_id: 'd' }],
  ] as const) {
    await press(button)
    const dialog = await screen.findByRole('dialog', { name: title })
    expect(lastSent(path)).not.toMatchObject(sent)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await press(button)
    await userEvent.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: act }))
    await waitFor(() => expect(lastSent(path)).toMatchObject(sent))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await screen.findByText('User c has been disabled.')
  await screen.findByText('User b has been enabled.')
  await screen.findByText('User d has been deleted.')
})

test('[ERROR-10] says in a passing word why one user could not be changed', async () => {
  show({
    'user/enable': { error_type: 'NOT_PERMITTED', error_subtype: 'LAST_ADMINISTRATOR' },
    'account/user/delete': 500,
  })
  await press('Disable User c')
  await press('Disable')
  await screen.findByText('User c could not be disabled. An organisation needs an administrator who has signed in.')
  await press('Delete User c')
  await press('Delete')
  expect(await screen.findByText('User c could not be deleted. Please try again.')).toBeTruthy()
})

test('[ADMIN-USERS-06][GRID-05] acts only on those who are not so already, in one request', async () => {
  show()
  const requests = vi.fn<typeof fetch>(fetch)
  vi.stubGlobal('fetch', requests)
  for (const name of ['b', 'c', 'd', 'e']) await tick(`Select User ${name}`)
  const bar = screen.getByRole('group', { name: 'Actions on the selected users' })
  await userEvent.click(within(bar).getByRole('button', { name: 'Disable' }))
  const dialog = await screen.findByRole('dialog', { name: 'Disable users?' })
  expect(dialog?.textContent).toContain('2 users of those selected are signed out at once')
  expect(dialog?.textContent).toContain('2 other selected users are left out')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Disable' }))
  await screen.findByText('2 users have been disabled.')
  expect(sentTo('user/enable')).toEqual([
    { uuid: 'c', disable: 1 },
    { uuid: 'd', disable: 1 },
  ])
  expect(screen.queryByText(/users? selected/)).toBeNull()
  const asked = requests.mock.calls.map(([address]) => String(address)).filter((one) => /bundle|enable/.test(one))
  expect(asked).toEqual(['/api/v3/bundle'])
})

test('[ADMIN-USERS-06] enables those of several who are disabled, and deletes all of them but oneself', async () => {
  show()
  const act = async (name: string) => {
    const bar = screen.getByRole('group', { name: 'Actions on the selected users' })
    await userEvent.click(within(bar).getByRole('button', { name }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))
  }
  for (const name of ['b', 'c']) await tick(`Select User ${name}`)
  await act('Enable')
  await screen.findByText('1 user has been enabled.')
  expect(sentTo('user/enable')).toEqual([{ uuid: 'b', disable: 0 }])
  for (const name of ['u', 'b', 'c']) await tick(`Select User ${name}`)
  await act('Delete')
  await screen.findByText('2 users have been deleted.')
  expect(sentTo('account/user/delete')).toMatchObject([{ user_id: 'b' }, { user_id: 'c' }])
})

test('[GRID-02] names whom a bulk act is about, those out of sight first and marked', async () => {
  show()
  await tick('Select User c')
  await press('Next page')
  await tick('Select User l')
  const bar = screen.getByRole('group', { name: 'Actions on the selected users' })
  for (const act of ['Disable', 'Delete']) {
    await userEvent.click(within(bar).getByRole('button', { name: act }))
    const dialog = within(await screen.findByRole('dialog'))
    const names = within(dialog.getByRole('list', { name: 'Chosen' })).getAllByRole('listitem')
    expect(names.map((one) => one.textContent.trim())).toEqual([
      'User c · c@clinic.example not shown now',
      'User l · l@clinic.example',
    ])
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  }
})

test('[ADMIN-USERS-06] warns where nobody of those selected qualifies, and closes the question', async () => {
  show()
  await tick('Select User u')
  await tick('Select User c')
  const act = async (name: string) => {
    const bar = screen.getByRole('group', { name: 'Actions on the selected users' })
    await userEvent.click(within(bar).getByRole('button', { name }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await act('Enable')
  await screen.findByText('Select at least one disabled user.')
  await tick('Select User c')
  expect(screen.queryByText(/at least one/)).toBeNull()
  await act('Disable')
  await screen.findByText('Select at least one active user other than yourself.')
  await act('Delete')
  await screen.findByText('Select at least one user other than yourself.')
  expect(sentTo('user/enable')).toEqual([])
  expect(sentTo('account/user/delete')).toEqual([])
})

test('[GRID-05] says of whom of several it failed, and why', async () => {
  show({
    'account/user/delete': ({ user_id }: { user_id?: string }) =>
      user_id === 'c' ? { error_type: 'NOT_PERMITTED', error_subtype: 'ROLE_ABOVE' } : {},
  })
  for (const name of ['b', 'c']) await tick(`Select User ${name}`)
  await userEvent.click(
    within(screen.getByRole('group', { name: 'Actions on the selected users' })).getByRole('button', {
      name: 'Delete',
    }),
  )
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect((await screen.findByRole('alert')).textContent).toContain(
    'User c could not be deleted. The user may do more than you.',
  )
  await screen.findByText('1 user has been deleted.')
})

test('nobody is offered to disable or delete oneself', async () => {
  show()
  await table()
  for (const name of ['Disable User u', 'Delete User u']) {
    const button = screen.getByRole('button', { name })
    expect(button.getAttribute('aria-description')).toBe('Nobody can do this to themselves.')
    expect(button.getAttribute('aria-disabled')).toBe('true')
  }
  expect(screen.getByRole('button', { name: 'Edit User u' }).getAttribute('aria-disabled')).toBeNull()
})

test('[PERM-05] nobody is offered to act on a user who may do more, and the reason is said', async () => {
  const users = [user('b', { is_above: 1 }), user('d', { is_above: 1, disabled: 1 })]
  show({
    'account/user/list': { users, page: { more: 0, rows: 20, number: 1, total: 2 } },
    'account/user/get': { ...users[0], groups: [], locations: [], other_accounts: 0 },
  })
  await table()
  for (const name of ['Disable User b', 'Delete User b', 'Enable User d', 'Delete User d']) {
    const button = screen.getByRole('button', { name })
    expect(button.getAttribute('aria-description')).toBe('The user may do more than you.')
    await userEvent.click(button)
    expect(screen.queryByRole('dialog')).toBeNull()
  }
  await tick('Select User b')
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('None of the selected users can be deleted')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Edit User b' }))
  const form = await screen.findByRole('form', { name: 'Edit user' })
  expect(form.textContent).toContain('only somebody with as many rights can make changes here')
  const fields = within(form).getByRole('textbox', { name: 'E-mail' }).closest('fieldset')
  expect(fields).toHaveProperty('disabled', true)
  expect(within(form).queryByRole('button', { name: 'Save' })).toBeNull()
})

test('[PERM-05][ADMIN-USERS-01] offers acts to who may edit users, and the list alone to who may view them', async () => {
  for (const held of ['user_edit', 'account_user_edit']) {
    const { unmount } = show({}, { account_user_view: 1, [held]: 1 })
    expect(await screen.findByRole('button', { name: 'Edit User c' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Invite user' })).toBeTruthy()
    unmount()
  }
  show({}, { account_user_view: 1 })
  await table()
  expect(screen.queryByRole('button', { name: /^(Disable|Enable|Edit|Delete|Invite) / })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('[PERM-03] shows nothing to who may neither view nor edit users', async () => {
  show({}, { account_edit: 1 })
  await screen.findByText('Only people who may view or edit the users of the organisation may open this page.')
  expect(lastSent('account/user/list')).toBeUndefined()
})

test('walks by keys: arrows through rows, space selects, Page Down goes on, Enter opens', async () => {
  show({ 'account/user/get': { ...user('c'), groups: [], locations: [], other_accounts: 0, customfields: [] } })
  const rows = within(await table()).getAllByRole('row')
  rows[1]?.focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown} ')
  expect(document.activeElement).toBe(rows[3])
  expect(screen.getByRole('checkbox', { name: 'Select User c' })).toHaveProperty('checked', true)
  await userEvent.tab()
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Disable User c' }))
  rows[3]?.focus()
  await userEvent.keyboard('{End}')
  expect(document.activeElement).toBe(rows[10])
  await userEvent.keyboard('{Home}{PageUp}{ArrowDown}{ArrowDown}{Enter}')
  await screen.findByRole('dialog', { name: /^Edit user: / })
  expect(lastSent('account/user/get')).toMatchObject({ uuid: 'a', user_id: 'c' })
  await press('Cancel')
  rows[1]?.focus()
  await userEvent.keyboard('{PageDown}')
  await screen.findByText('11 to 12 of 12')
})

test('says that the list could not be loaded, that nobody matches, and tries again', async () => {
  let isDown = true
  show({ 'account/user/list': () => (isDown ? 500 : { users: [], page: { more: 0, rows: 10, number: 1 } }) })
  await screen.findByText('The users could not be loaded.')
  isDown = false
  await press('Try again')
  await screen.findByText('There are no users yet.')
  await press('Filter')
  await userEvent.type(screen.getByRole('textbox', { name: 'E-mail' }), 'x')
  expect(await screen.findByText('No user matches the filter.')).toBeTruthy()
})

test('keeps page, order and filter in the address', async () => {
  history.replaceState(null, '', '/?page=2&sort=last_login-desc&email=clinic&state=disabled')
  show()
  await table()
  expect(lastSent('account/user/list')).toMatchObject({
    'page.number': 2,
    sort_by: 'last_login-desc',
    'filter.user_email.like': '%clinic%',
    'filter.user_disabled.equals': 1,
  })
  await press('User name')
  expect(location.search).toBe('?email=clinic&state=disabled')
})

test('downloads everybody whom the filter finds, with no formula among the names', async () => {
  const made: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made.push(blob as Blob)
    return 'blob:made'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  const more = (sent: Record<string, unknown>) => {
    const isFirst = sent['page.number'] === 1
    const users = isFirst ? [user('a', { first: '=SUM(A1)', last: 'Holm, Ida' })] : [user('b', { last_login: null })]
    return { users, page: { more: isFirst ? 1 : 0, rows: sent['page.rows'], number: sent['page.number'] } }
  }
  show({ 'account/user/list': more })
  await press('Download list')
  await waitFor(() => expect(made).toHaveLength(1))
  const lines = (await made[0]?.text())?.split('\r\n')
  expect(lines?.slice(1)).toEqual([
    `'=SUM(A1),"Holm, Ida",a@clinic.example,Staff,Active,2026-11-20 20:15:00Z`,
    'User,b,b@clinic.example,Staff,Active,',
    '',
  ])
})
