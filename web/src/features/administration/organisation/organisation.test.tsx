import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCustomField } from '../../../../test/make-custom-field.ts'
import { lastSent, type Replies } from '../../../../test/signed-in.tsx'
import { showRouted } from '../../../../test/routed.tsx'
import { putSession, readSession } from '../../../session/session-store.ts'
import { Organisation } from './organisation.tsx'

afterEach(() => vi.unstubAllGlobals())

const account = {
  name: 'North',
  issuer: 'NORTH',
  vanity: 'images.north.example,north.example',
  default_role_id: 'r1',
  settings: { link_minutes: '1440', help_address: 'help@north.example' },
  customfields: [],
}
const show = (replies: Replies = {}, permissions: Record<string, number> = { account_edit: 1 }) =>
  showRouted(
    <Organisation />,
    {
      'account/get': account,
      'account/set': {},
      'account/issuers': { issuers: [], holds_back: 0 },
      'account/texts/versions': { versions: [], people: 1 },
      ...replies,
    },
    {},
    permissions,
  )
const accountName = () => {
  const state = readSession()
  return state.status === 'established' ? state.session.account.name : ''
}
const field = (name: string) => screen.findByRole('textbox', { name: new RegExp(`^${name}`) })
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

test('keeps other names of the assigning authority, and refuses what no message can name', async () => {
  show()
  const names = await field('Other names of this authority')
  await userEvent.type(names, 'HIS^1.2')
  await save()
  expect(await screen.findByText(/^Names of at most 64 characters each/)).toBeDefined()
  expect(lastSent('account/set')).toBeUndefined()
  await userEvent.clear(names)
  await userEvent.type(names, 'HIS North, KIS')
  await save()
  await waitFor(() => expect(lastSent('account/set')).toMatchObject({ setting_other_issuers: 'HIS North, KIS' }))
})

test('says whose an authority is that exams name, by one press, and takes it back', async () => {
  const his = {
    issuer: 'HIS',
    study_count: 12,
    newest: '2026-01-02 09:30:00.000000+00',
    ae_titles: ['MR1'],
    is_outside: 0,
  }
  const settings: Record<string, string> = { other_issuers: 'KIS', outside_issuers: 'HIS, WEST' }
  show({
    'account/get': () => ({ ...account, settings: { ...settings } }),
    'account/set': (sent: Record<string, string>) => {
      for (const name of ['other_issuers', 'outside_issuers']) settings[name] = sent[`setting_${name}`] ?? ''
      return {}
    },
    'account/issuers': () => ({ issuers: settings['other_issuers']?.includes('HIS') ? [] : [his], holds_back: 1 }),
  })
  const named = await screen.findByRole('group', { name: 'Other authorities that exams name' })
  expect(named.textContent).toMatch(/HIS12 exams, the newest .* ago, sent by MR1/)
  const state = readSession()
  if (state.status !== 'established') throw new Error('Nobody is signed in')
  putSession({ status: 'established', session: { ...state.session, account: { ...state.session.account, settings } } })
  await userEvent.click(within(named).getByRole('button', { name: 'It is ours: HIS' }))
  await within(named).findByText(/^HIS is a name of your own authority now/)
  expect(lastSent('account/set')).toMatchObject({
    setting_other_issuers: 'KIS, HIS',
    setting_outside_issuers: 'WEST',
    seen: { setting_other_issuers: 'KIS', setting_outside_issuers: 'HIS, WEST' },
  })
  await waitFor(async () => expect(await field('Other names of this authority')).toHaveProperty('value', 'KIS, HIS'))
  expect(within(named).queryByRole('button', { name: 'It is ours: HIS' })).toBeNull()
  await userEvent.click(within(named).getByRole('button', { name: 'Undo' }))
  await userEvent.click(await within(named).findByRole('button', { name: 'Another organisation’s: HIS' }))
  await within(named).findByText(/^HIS is the authority of another organisation/)
  expect(lastSent('account/set')).toMatchObject({ setting_other_issuers: 'KIS', setting_outside_issuers: 'WEST, HIS' })
})

test('gives kinds of tags a colour, refuses one without a beginning, and takes one away', async () => {
  show({ 'account/get': { ...account, settings: { tag_colors: 'ER=red' } } })
  await userEvent.click(await screen.findByRole('button', { name: 'Add a colour' }))
  await save()
  expect(await screen.findByText(/^Give each a beginning of its own/)).toBeDefined()
  await userEvent.type(screen.getByRole('textbox', { name: 'Beginning of tags, number 2' }), 'Research = 1')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /that begin with Research/ }), 'teal')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the colour of ER' }))
  await save()
  await waitFor(() => expect(lastSent('account/set')).toMatchObject({ setting_tag_colors: 'Research = 1=teal' }))
})

test('saves what was changed, and nothing else', async () => {
  show()
  const help = await field('Address for help')
  await userEvent.clear(help)
  await userEvent.type(help, ' https://help.example ')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'A link ends after' }), '1 hour')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Everybody may use the worklist' }))
  await save()
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({
    uuid: 'a',
    setting_help_address: 'https://help.example',
    setting_link_minutes: '60',
    setting_inbox_allow_switch_between_modes: '1',
    seen: {
      setting_help_address: 'help@north.example',
      setting_link_minutes: '1440',
      setting_inbox_allow_switch_between_modes: '',
    },
  })
})

test('a setting that somebody else changed meanwhile is saved over the change only when asked for', async () => {
  let reply: unknown = { error_type: 'STALE' }
  show({ 'account/set': () => reply })
  const help = await field('Address for help')
  await userEvent.type(help, '.com')
  await save()
  await screen.findByText(/Somebody else changed this while the form was open/)
  expect(screen.queryByText(/could not be saved/)).toBeNull()
  expect(help).toHaveProperty('value', 'help@north.example.com')
  reply = {}
  await userEvent.click(screen.getByRole('button', { name: 'Save mine' }))
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', setting_help_address: 'help@north.example.com' })
})

test('says how the Organisation inbox takes exams in', async () => {
  show({ 'account/get': { ...account, must_approve: 1, share_description: 'Radiology' } })
  const words = await field('Words beside its share code')
  expect(words).toHaveProperty('value', 'Radiology')
  await userEvent.clear(words)
  await userEvent.click(screen.getByRole('checkbox', { name: /^Takes no exams from others/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Exams that others share with it wait for approval' }))
  await userEvent.click(screen.getByRole('checkbox', { name: /^Photos, documents and videos/ }))
  await save()
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({
    uuid: 'a',
    no_share: 1,
    must_approve: 0,
    share_description: '',
    setting_enable_dicom_wrapping: '1',
    seen: { no_share: 0, must_approve: 1, share_description: 'Radiology', setting_enable_dicom_wrapping: '' },
  })
})

test('says whether other organisations may keep copies of what they were sent', async () => {
  show()
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Receivers may keep a copy/ }))
  await save()
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toMatchObject({ uuid: 'a', setting_allow_copies: '1' })
})

test('closes the organisation once its name is typed, and says why not', async () => {
  const assign = vi.fn<() => void>()
  vi.stubGlobal('location', Object.assign(Object.create(window.location), { assign }))
  let refusal: object = { error_type: 'NOT_EMPTY' }
  show({ 'account/delete': () => refusal })
  await userEvent.click(await screen.findByRole('button', { name: 'Close the organisation …' }))
  const name = screen.getByRole('textbox', { name: /^Type the name of the organisation/ })
  const close = screen.getByRole('button', { name: 'Close for good' })
  await userEvent.type(name, 'North')
  await userEvent.click(close)
  expect(await screen.findByText('Type the name exactly as it stands above the field.')).toBeTruthy()
  expect(lastSent('account/delete')).toBeUndefined()
  await userEvent.clear(name)
  await userEvent.type(name, accountName())
  await userEvent.click(close)
  expect(await screen.findByText(/^There are exams left/)).toBeTruthy()
  refusal = { error_type: 'NOT_PERMITTED', error_subtype: 'LAST_ACCOUNT' }
  await userEvent.click(close)
  expect(await screen.findByText(/^This is the last organisation/)).toBeTruthy()
  refusal = { status: 'OK' }
  await userEvent.click(close)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  expect(lastSent('account/delete')).toEqual({ uuid: 'a' })
})

test('says what is wrong before anything is sent', async () => {
  show()
  await userEvent.clear(await field('Name of the organisation'))
  const issuer = await field('Assigning authority')
  await userEvent.clear(issuer)
  await userEvent.type(issuer, 'A^B')
  const help = await field('Address for help')
  await userEvent.clear(help)
  await userEvent.type(help, 'call us')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Nobody may choose longer than' }), '1 hour')
  await save()
  for (const text of [
    'Please enter a name of at most 100 characters.',
    'At most 64 characters, without \\ ^ & ~ |.',
    'Please enter an e-mail address or an address that begins with http:// or https://.',
    'Links end no later than the longest time below.',
  ])
    await screen.findByText(text)
  expect(lastSent('account/set')).toBeUndefined()
})

test('asks before the assigning authority changes, and keeps what was typed', async () => {
  show()
  const issuer = await field('Assigning authority')
  await userEvent.clear(issuer)
  await userEvent.type(issuer, 'NORD')
  await save()
  const dialog = await screen.findByRole('dialog', { name: 'Change the assigning authority?' })
  expect(dialog.textContent).toContain('Exams that are here keep “NORTH”. Once it is “NORD”')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(lastSent('account/set')).toBeUndefined()
  expect(issuer).toHaveProperty('value', 'NORD')
  await save()
  await userEvent.click(await screen.findByRole('button', { name: 'Change to “NORD”' }))
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', issuer: 'NORD', seen: { issuer: 'NORTH' } })
})

test('asks before the assigning authority is saved over another one too, and names the one in force', async () => {
  let reply: unknown = { error_type: 'STALE' }
  let issuer = 'NORTH'
  show({ 'account/set': () => reply, 'account/get': () => ({ ...account, issuer }) })
  const typed = await field('Assigning authority')
  await userEvent.clear(typed)
  await userEvent.type(typed, 'NORD')
  await save()
  issuer = 'SUD'
  await userEvent.click(await screen.findByRole('button', { name: 'Change to “NORD”' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Save mine' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change the assigning authority?' })
  await waitFor(() => expect(dialog.textContent).toContain('Exams that are here keep “SUD”'))
  reply = {}
  await userEvent.click(screen.getByRole('button', { name: 'Change to “NORD”' }))
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', issuer: 'NORD' })
})

test('takes a small picture for a logo and no other file', async () => {
  show()
  const choose = await screen.findByLabelText('Choose a picture', { selector: 'input' })
  await userEvent.upload(choose, new File([new Uint8Array(70_000)], 'big.png', { type: 'image/png' }))
  await screen.findByText('Please choose a PNG, JPEG or WebP picture of at most 64 KB.')
  await userEvent.upload(choose, new File(['logo'], 'logo.png', { type: 'image/png' }))
  expect(await screen.findByRole('img', { name: 'Logo' })).toHaveProperty('src', 'data:image/png;base64,bG9nbw==')
  await save()
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({
    uuid: 'a',
    setting_brand_logo: 'data:image/png;base64,bG9nbw==',
    seen: { setting_brand_logo: '' },
  })
})

test('says by the field that the name is taken, and elsewhere that saving failed', async () => {
  let reply: unknown = { error_type: 'DUPLICATE_NAME' }
  show({ 'account/set': () => reply })
  await userEvent.type(await field('Name of the organisation'), ' 2')
  await save()
  await screen.findByText('Another organisation has this name.')
  reply = 500
  await save()
  await screen.findByText('The settings of the organisation could not be saved. Please try again.')
  expect(await field('Name of the organisation')).toHaveProperty('value', 'North 2')
})

test('asks nothing for those who may not change it', async () => {
  show({}, { account_user_view: 1 })
  await screen.findByText('Only administrators of the organisation may change its settings.')
  expect(lastSent('account/get')).toBeUndefined()
})

test('[API-37] fills the custom fields of the organisation, and tells a refusal in words', async () => {
  const customfields = [
    makeCustomField('f1', 'Customer number', { value: 'N-1' }),
    makeCustomField('f2', 'Beds', { type: 'number' }),
  ]
  let reply: unknown = { error_type: 'INVALID_CUSTOMFIELD', error_subtype: ['Beds: not a number'] }
  show({ 'account/get': { ...account, customfields }, 'account/set': () => reply })
  expect(await field('Customer number')).toHaveProperty('value', 'N-1')
  await userEvent.type(await field('Beds'), 'many')
  await save()
  await screen.findByText(/^Please enter a number/)
  expect(lastSent('account/set')).toBeUndefined()
  await userEvent.clear(await field('Beds'))
  await userEvent.type(await field('Beds'), '400')
  await save()
  await screen.findByText('Beds: not a number')
  reply = {}
  await save()
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', 'customfield-f2': '400', seen: { 'customfield-f2': '' } })
})

test('[API-37] a custom field that somebody else changed meanwhile is no change of whoever typed another one', async () => {
  const beds = (value: string) => makeCustomField('f2', 'Beds', { type: 'number', value })
  let loaded = { ...account, customfields: [makeCustomField('f1', 'Customer number'), beds('400')] }
  let reply: unknown = { error_type: 'STALE' }
  show({ 'account/get': () => loaded, 'account/set': () => reply })
  await userEvent.type(await field('Customer number'), 'N-1')
  loaded = { ...account, customfields: [makeCustomField('f1', 'Customer number', { value: 'X' }), beds('500')] }
  await save()
  await screen.findByText(/Somebody else changed this while the form was open/)
  await waitFor(async () => expect(await field('Beds')).toHaveProperty('value', '500'))
  reply = {}
  await userEvent.click(screen.getByRole('button', { name: 'Save mine' }))
  await screen.findByText('The settings of the organisation have been saved.')
  expect(lastSent('account/set')).toEqual({ uuid: 'a', 'customfield-f1': 'N-1' })
})

const roles = [
  { uuid: 'r1', name: 'Staff', for_account: 1 },
  { uuid: 'r2', name: 'Viewer', for_account: 1 },
  { uuid: 'r3', name: 'Of groups', for_account: 0, for_group: 1 },
]
const seesRoles = { account_edit: 1, role_view: 1 }

test('sets host names and the role of new people, and keeps those that stay', async () => {
  show({ 'role/list': { roles, page: { more: 0, rows: 10, number: 1, total: 3 } } }, seesRoles)
  const hosts = await field('Host names of your own')
  expect(hosts).toHaveProperty('value', 'images.north.example, north.example')
  const role = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Role of new people' })
  await screen.findByRole('option', { name: 'Viewer' })
  expect([...role.options].map(({ text }) => text)).toEqual(['Staff', 'Viewer'])
  await userEvent.type(hosts, ', pacs.north.example')
  await userEvent.selectOptions(role, 'Viewer')
  await save()
  await waitFor(() =>
    expect(lastSent('account/set')).toEqual({
      uuid: 'a',
      vanity: 'images.north.example, north.example, pacs.north.example',
      role_id: 'r2',
      seen: { vanity: 'images.north.example,north.example', default_role_id: 'r1' },
    }),
  )
})

test.each([
  ['INVALID_VANITY', /^Host names/, /At most ten host names/],
  ['DUPLICATE_VANITY', /^Host names/, /Another organisation has one of these/],
  ['CAN_NOT_PROMOTE', /^Role of new people/, /may do more than you/],
  ['ROLE_NOT_FOUND', /^Role of new people/, /not there any more/],
] as const)('says %s at its field', async (error_type, name, words) => {
  show({ 'role/list': { roles, page: {} }, 'account/set': { error_type } }, seesRoles)
  await userEvent.type(await field('Host names of your own'), ', x')
  await save()
  expect(await screen.findByText(words)).toBeDefined()
  const wrong = screen.getAllByRole(name.source.includes('Role') ? 'combobox' : 'textbox', { name })[0]
  expect(wrong?.getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByText(/could not be saved/)).toBeNull()
})
