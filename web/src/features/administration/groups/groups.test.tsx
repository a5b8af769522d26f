import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCustomField } from '../../../../test/make-custom-field.ts'
import { makePlace, makePlaceMember } from '../../../../test/make-place.ts'
import { askedAddresses, lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import type { Place } from '../../../queries/account-groups.ts'
import { Groups } from './groups.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const group = (uuid: string, given: Partial<Place> = {}) => makePlace(uuid, `Group ${uuid}`, given)
const all = [group('g1'), group('g2', { group_designation: 'GATEKEEPER', must_approve: 1, role_name: 'Viewer' })]
const roles = [
  { uuid: 'r1', name: 'Staff', for_account: 1, for_group: 1 },
  { uuid: 'r2', name: 'Of the account', for_account: 1, for_group: 0 },
]
const page = { more: 0, rows: 10, number: 1, total: 2 }
const answers: Replies = {
  'group/list': { groups: all, page },
  'group/get': { ...group('g1'), inbox_config: { active_study_filters: ['Inbox'], pacs_promote_groups: [] } },
  'group/user/list': { users: [makePlaceMember('b'), makePlaceMember('c', { disabled: 1 })], page },
  'role/list': { roles, page },
  'customfield/list': { customfields: [], page },
  'account/user/list': { users: [makePlaceMember('d'), makePlaceMember('e')], page },
}
const editor = { group_view: 1, group_edit: 1, role_view: 1, account_user_view: 1 }
const show = (replies: Replies = {}, permissions: Record<string, number> = editor) =>
  showSignedIn(<Groups />, { ...answers, ...replies }, {}, permissions)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const rowTexts = async (name: string) =>
  within(await screen.findByRole('grid', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)

test('[ADMIN-GROUPS-01] shows the groups with their type, people, role and approval', async () => {
  show()
  expect(await rowTexts('Groups')).toEqual([
    'Group g1Cloud2Role in the organisationNone–',
    'Group g2Gatekeeper2ViewerShares wait–',
  ])
})

test('[PERM-03] opens for who may view or edit groups, and offers changes to who may edit alone', async () => {
  show({}, {})
  await screen.findByText(/Only people who may view or edit the groups/)
  expect(sentCalls).toEqual([])
  document.body.replaceChildren()
  show({}, { group_view: 1 })
  await screen.findByRole('grid', { name: 'Groups' })
  expect(screen.queryByRole('button', { name: 'Add group' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit Group g1' })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('[PERM-03] shows the people of a group to who may view groups, and offers no removal, role, tick or addition', async () => {
  history.replaceState(null, '', '/?group=g1')
  show({}, { ...editor, group_edit: 0 })
  const grid = within(await screen.findByRole('grid', { name: 'People of Group g1' }))
  await grid.findByText('User c')
  expect(screen.queryAllByRole('button', { name: /^Remove|^Add people|^Put/ })).toEqual([])
  expect(grid.queryAllByRole('combobox')).toEqual([])
  expect(screen.queryAllByRole('checkbox')).toEqual([])
})

test('[GRID-01] keeps page, order and filter in the address, and asks the server by them', async () => {
  history.replaceState(null, '', '/?page=3&sort=user_count-desc&name=emer&type=CLOUD')
  show()
  await screen.findByRole('grid', { name: 'Groups' })
  expect(lastSent('group/list')).toMatchObject({
    'page.number': 3,
    sort_by: 'user_count-desc',
    'filter.name.like': '%emer%',
    'filter.group_designation.equals': 'CLOUD',
  })
  await press('Group name')
  expect(location.search).toBe('?name=emer&type=CLOUD')
  await press('Clear filter')
  await waitFor(() => expect(location.search).toBe(''))
  await press('Type')
  expect(location.search).toBe('?sort=group_designation-asc')
})

test('makes a group with its views, role, sharing and DICOM senders', async () => {
  show()
  await press('Add group')
  const form = await screen.findByRole('form', { name: 'Add group' })
  const inForm = within(form)
  await userEvent.click(inForm.getByRole('button', { name: 'Save' }))
  await inForm.findByText('A group needs a name.')
  await userEvent.type(inForm.getByLabelText('Group name'), ' Emergency ')
  await userEvent.selectOptions(inForm.getByLabelText('Type'), 'Library')
  await userEvent.click(inForm.getByRole('checkbox', { name: 'Deleted' }))
  await userEvent.selectOptions(inForm.getByLabelText('Default role'), 'Staff')
  expect(within(inForm.getByLabelText('Default role')).queryByText('Of the account')).toBeNull()
  await userEvent.type(inForm.getByLabelText('AE title'), 'EMERG')
  await userEvent.type(inForm.getByLabelText('Who may send'), 'CT_1{Enter}10.1.0.0/16')
  await userEvent.type(inForm.getByLabelText('Who may query and retrieve'), 'WS_1')
  await userEvent.type(inForm.getByLabelText('Who may ask for the worklist'), 'CT_1')
  await userEvent.type(inForm.getByLabelText('Who may send orders (HL7)'), 'RIS')
  await userEvent.click(inForm.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(lastSent('group/add')).toMatchObject({
      account_id: 'a',
      name: 'Emergency',
      role_id: 'r1',
      must_approve: 0,
      inbox_config: {
        group_designation: 'LIBRARY',
        active_study_filters: ['Inbox', 'Shared w/ group', 'Pending Requests'],
      },
      dicom_ae_title: 'EMERG',
      dicom_allowed_peers: ['CT_1', '10.1.0.0/16'],
      dicom_query_peers: ['WS_1'],
      dicom_worklist_peers: ['CT_1'],
      hl7_senders: ['RIS'],
    }),
  )
})

test('copies a group without what leads others into it, for who may edit groups', async () => {
  const copied = {
    ...group('g1'),
    must_approve_upload: 1,
    share_code: 'EMERG1',
    share_settings: { must_approve: 0, takes_uploads: 1 },
    dicom_ae_title: 'EMERG',
    dicom_allowed_peers: ['CT_1'],
    inbox_config: { active_study_filters: ['Inbox'], pacs_promote_groups: ['g2'] },
  }
  show({ 'group/get': copied })
  await press('Copy Group g1')
  const inForm = within(await screen.findByRole('form', { name: 'Copy group' }))
  expect(screen.getByRole('dialog', { name: 'Copy group: Group g1' })).toBeDefined()
  expect(inForm.getByLabelText('Group name')).toHaveProperty('value', 'Group g1 (copy)')
  await userEvent.click(inForm.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(lastSent('group/add')).toMatchObject({
      account_id: 'a',
      name: 'Group g1 (copy)',
      must_approve_upload: 1,
      share_code: '',
      share_settings: { must_approve: 0, takes_uploads: 0 },
      dicom_ae_title: '',
      dicom_allowed_peers: ['CT_1'],
      inbox_config: { active_study_filters: ['Inbox'], pacs_promote_groups: ['g2'] },
    }),
  )
  expect(lastSent('group/set')).toBeUndefined()
  document.body.replaceChildren()
  show({}, { group_view: 1 })
  await screen.findByRole('grid', { name: 'Groups' })
  expect(screen.queryByRole('button', { name: 'Copy Group g1' })).toBeNull()
})

test('says how the group takes in uploads and what comes by its share code; settings that the form does not know stay', async () => {
  show()
  await press('Add group')
  const inForm = within(await screen.findByRole('form', { name: 'Add group' }))
  const open = inForm.getByRole('checkbox', { name: /may upload without a login/ })
  expect(open).toHaveProperty('disabled', true)
  await userEvent.type(inForm.getByLabelText('Group name'), 'Emergency')
  await userEvent.type(inForm.getByLabelText('Share code'), 'EMERG1')
  await userEvent.click(open)
  await userEvent.click(inForm.getByRole('checkbox', { name: /the exams are the right ones/ }))
  await userEvent.selectOptions(inForm.getByLabelText('Pictures, PDF and other files'), 'Taken')
  await userEvent.click(inForm.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(lastSent('group/add')).toMatchObject({
      share_code: 'EMERG1',
      share_settings: { enable_dicom_wrapping: 1, must_approve: 1, takes_uploads: 1, confirm_before_upload: 1 },
    }),
  )
})

test.each([
  [{ error_type: 'DUP_NAMESPACE_NAME' }, 'Another group or location has this name.'],
  [{ error_type: 'DUP_SHARE_CODE' }, 'Another group or person has this share code.'],
  [{ error_type: 'NOT_EMPTY' }, 'The type can change only while the group holds no studies.'],
  [{ error_type: 'ALREADY_EXISTS', error_subtype: 'dicom_ae_title' }, 'Another place has this AE title.'],
  [{ error_type: 'CAN_NOT_PROMOTE' }, 'The role allows more than you may do.'],
  [{ error_type: 'NOT_PERMITTED' }, /The group could not be saved\. You do not have the permission/],
])('says why a group was not saved: %j', async (reply, words) => {
  show({ 'group/set': reply })
  await press('Edit Group g1')
  const form = await screen.findByRole('form', { name: 'Edit group' })
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }))
  expect(await within(form).findByText(words)).toBeTruthy()
})

test('[GRID-05] deletes several in one request, and says which stayed and why', async () => {
  show({ 'group/delete': ({ uuid }: { uuid: string }) => (uuid === 'g2' ? { error_type: 'NOT_EMPTY' } : {}) })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all of this page' }))
  await screen.findByText('2 groups selected')
  await userEvent.click(
    within(screen.getByRole('group', { name: 'Actions on the selected groups' })).getByRole('button', {
      name: 'Delete',
    }),
  )
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await screen.findByText('Group g2 could not be deleted. There are studies in it: delete them first.')
  expect(await screen.findByText('1 group selected')).toBeTruthy()
  expect(sentCalls.filter(({ path }) => path === 'group/delete').map(({ sent }) => sent['uuid'])).toEqual(['g1', 'g2'])
  expect(askedAddresses.filter((one) => /bundle|delete/.test(one))).toEqual(['/api/v3/bundle'])
})

test('names the rules and groups that keep a group from being deleted', async () => {
  show({
    'group/delete': {
      error_type: 'IN_USE',
      error_data: { routes: ['CT to g1'], groups: ['Emergency'], destinations: ['PACS'] },
    },
  })
  await press('Delete Group g1')
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  const words =
    'Group g1 could not be deleted. Routing rules use it: CT to g1. Change these first. Groups name it in their settings: Emergency. Change these first. Destinations are limited to it: PACS. Change these first.'
  expect(await screen.findByText(words)).toBeTruthy()
})

test('shows the people of a group, gives one another role, takes one out and puts others in', async () => {
  show()
  await press('People of Group g1')
  expect(location.search).toBe('?group=g1')
  await screen.findByRole('grid', { name: 'People of Group g1' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role of User b in the group' }), 'Staff')
  await waitFor(() => expect(lastSent('group/user/add')).toMatchObject({ uuid: 'g1', user_id: 'b', role_id: 'r1' }))
  await press('Remove User c from the group')
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove from the group' }),
  )
  await waitFor(() => expect(lastSent('group/user/delete')).toMatchObject({ uuid: 'g1', user_id: 'c' }))
  await press('Add people')
  const form = await screen.findByRole('form', { name: 'Add people' })
  await userEvent.click(await within(form).findByRole('checkbox', { name: 'User d' }))
  await userEvent.click(await within(form).findByRole('checkbox', { name: 'User e' }))
  await userEvent.click(within(form).getByRole('button', { name: 'Add to the group' }))
  await waitFor(() =>
    expect(sentCalls.filter((one) => one.path === 'group/user/add').map((one) => one.sent['user_id'])).toEqual([
      'b',
      'd',
      'e',
    ]),
  )
  await press('All groups')
  await screen.findByRole('grid', { name: 'Groups' })
  expect(location.search).toBe('')
})

test('keeps those chosen who could not be added to a group, with the reason, until all were', async () => {
  let isFull = true
  show({
    'group/user/add': ({ user_id: id }: { user_id: string }) =>
      isFull && id === 'e' ? { error_type: 'CAN_NOT_PROMOTE' } : {},
  })
  await press('People of Group g1')
  await press('Add people')
  const form = within(await screen.findByRole('form', { name: 'Add people' }))
  await userEvent.click(await form.findByRole('checkbox', { name: 'User d' }))
  await userEvent.click(await form.findByRole('checkbox', { name: 'User e' }))
  // two people of one name are told apart
  form.getByText('d@clinic.example')
  await userEvent.click(form.getByRole('button', { name: 'Add to the group' }))
  expect((await form.findByRole('alert')).textContent).toMatch(/^User e was left as before\./)
  expect(form.getByRole('checkbox', { name: 'User e' })).toHaveProperty('checked', true)
  expect(form.getByRole('checkbox', { name: 'User d' })).toHaveProperty('checked', false)
  isFull = false
  await userEvent.click(form.getByRole('button', { name: 'Add to the group' }))
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Add people' })).toBeNull())
  const added = sentCalls.filter((one) => one.path === 'group/user/add').map((one) => one.sent['user_id'])
  expect(added).toEqual(['d', 'e', 'e'])
})

test('keeps all of those chosen where the server cannot be reached', async () => {
  show()
  await press('People of Group g1')
  await press('Add people')
  const form = within(await screen.findByRole('form', { name: 'Add people' }))
  await userEvent.click(await form.findByRole('checkbox', { name: 'User d' }))
  const answered = fetch
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) =>
    String(asked[0]).endsWith('/bundle') ? Promise.reject(new TypeError('Failed to fetch')) : answered(...asked),
  )
  await userEvent.click(form.getByRole('button', { name: 'Add to the group' }))
  await form.findByText(/^User d was left as before\./)
  expect(form.getByRole('checkbox', { name: 'User d' })).toHaveProperty('checked', true)
})

test('offers to put people in to those alone who may look them up', async () => {
  show({}, { ...editor, account_user_view: 0 })
  await press('People of Group g1')
  await screen.findByRole('button', { name: 'Remove User c from the group' })
  expect(screen.queryByRole('button', { name: 'Add people' })).toBeNull()
})

test('says so when groups cannot be loaded, when there are none, and when one is gone', async () => {
  show({ 'group/list': 500 })
  await screen.findByText('The groups could not be loaded.')
  document.body.replaceChildren()
  show({ 'group/list': { groups: [], page } })
  await screen.findByText('There are no groups yet.')
  document.body.replaceChildren()
  history.replaceState(null, '', '/?group=gone')
  show({ 'group/get': { error_type: 'NOT_FOUND' } })
  expect(await screen.findByText('The group is not there any more.')).toBeTruthy()
})

test('offers in a group no role that gives more than its giver holds', async () => {
  history.replaceState(null, '', '/?group=g1')
  const above = { uuid: 'r9', name: 'Chief', for_account: 0, for_group: 1, for_location: 0, is_above: 1 }
  show({ 'role/list': { roles: [...roles, above], page } })
  const role = await screen.findByRole('combobox', { name: 'Role of User b in the group' })
  const chief = within(role).getByRole('option', { name: 'Chief (more than you may do)' })
  expect(chief).toHaveProperty('disabled', true)
  expect(within(role).getByRole('option', { name: 'Staff' })).toHaveProperty('disabled', false)
})

test('says of a group that could not be loaded no more than that, and reads it again', async () => {
  let isDown = true
  history.replaceState(null, '', '/?group=g1')
  show({ 'group/get': () => (isDown ? 500 : answers['group/get']) })
  await screen.findByText('The group could not be loaded.')
  expect(screen.queryByText('The group is not there any more.')).toBeNull()
  isDown = false
  await press('Try again')
  expect(await screen.findByRole('grid', { name: /^People of / })).toBeTruthy()
})

const field = (uuid: string, name: string, given: object = {}) => ({
  uuid,
  name,
  object: 'Study',
  type: 'text',
  required: 0,
  options: null,
  ui_json: null,
  gate_key: '',
  ...given,
})
const gateway: Replies = {
  'group/get': {
    ...group('g2', { group_designation: 'GATEKEEPER' }),
    inbox_config: {
      pacs_form_customfields: ['f1', 'gone', 'f2'],
      pushable_destinations: ['d1', 'lost'],
      pacs_promote_preference: 'MWL',
      risk_line: 'NONE',
    },
  },
  'customfield/list': {
    customfields: [
      field('f1', 'Why', { required: 1 }),
      field('f2', 'Who'),
      // fields of the gate bear any name: their keys tell them
      field('f3', 'Send to', { gate_key: 'push_destination' }),
      field('f4', 'Urgency', { gate_key: 'priority' }),
      field('f5', 'submitted_at'),
    ],
    page,
  },
  'destination/list': {
    destinations: [{ uuid: 'd1', name: 'MAIN', can_push: 1, group_ids: null }],
    page,
  },
  'group/set': {},
}
const gatekeeperEditor = { ...editor, customfield_view: 1, destination_view: 1 }

test('[ENTITY-08] sets how a gatekeeper group works: its form in order, its destinations and the second person', async () => {
  show(gateway, gatekeeperEditor)
  await press('Edit Group g2')
  const list = await screen.findByRole('list', { name: 'Fields of the form' })
  const order = () =>
    within(list)
      .getAllByRole('listitem')
      .map((one) => one.firstElementChild?.textContent)
  expect(order()).toEqual(['WhyRequired', 'Deleted field (gone)', 'Who'])
  // each state of the configuration stands in words
  screen.getByText(/names 1 field that does not exist any more/)
  await screen.findByText(/names 1 destination that was deleted/)
  await press('Take Deleted field (gone) out of the form')
  await press('Move Who up')
  expect(order()).toEqual(['Who', 'WhyRequired'])
  screen.getByText('Who is now field 1 of 2.')
  const up = screen.getByRole('button', { name: 'Move Who up' })
  up.focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  expect(order()).toEqual(['WhyRequired', 'Who'])
  const preview = screen.getByRole('group', { name: 'As the nominator sees it' })
  expect(within(preview).getAllByRole('textbox')).toHaveLength(2)
  expect(screen.queryByRole('option', { name: 'Send to' })).toBeNull()
  for (const name of ['Urgency', 'submitted_at']) screen.getByRole('option', { name })
  await userEvent.click(screen.getByRole('checkbox', { name: /Not usable/ }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Second person' }), 'LIKELY')
  await press('Save')
  await waitFor(() => expect(lastSent('group/set')).toBeDefined())
  expect(lastSent('group/set')).toMatchObject({
    inbox_config: {
      pacs_form_customfields: ['f1', 'f2'],
      pushable_destinations: ['d1'],
      risk_line: 'LIKELY',
    },
  })
  // somebody else may have changed it meanwhile
  expect(lastSent('group/set')?.['inbox_config']).not.toHaveProperty('pacs_promote_preference')
})

test('[PROCESS-13] priorities of a gatekeeper group are set in their order, and stand in the form as it is shown', async () => {
  const read = gateway['group/get'] as { inbox_config: object }
  let reply: unknown = { error_type: 'INVALID_FIELD', error_subtype: 'priority_values' }
  const asked = { ...read, inbox_config: { ...read.inbox_config, pacs_form_customfields: ['f4'] } }
  show({ ...gateway, 'group/get': asked, 'group/set': () => reply }, gatekeeperEditor)
  await press('Edit Group g2')
  const field = await screen.findByRole('textbox', { name: 'Priorities, one per line' })
  expect(field).toHaveProperty('value', 'Routine\nPriority')
  const preview = within(await screen.findByRole('group', { name: 'As the nominator sees it' }))
  expect(preview.getByRole('option', { name: '2 choices: Routine, Priority' })).toBeDefined()
  await userEvent.clear(field)
  await userEvent.type(field, 'Planned')
  await press('Save')
  expect(await screen.findByText(/^Please enter at least two priorities and at most 10/)).toBeDefined()
  await userEvent.type(field, '{Enter} Urgent {Enter}{Enter}Emergency')
  expect(preview.getByRole('option', { name: '3 choices: Planned, Urgent, Emergency' })).toBeDefined()
  expect(screen.queryByText(/^Please enter at least two/)).toBeNull()
  reply = {}
  await press('Save')
  await waitFor(() =>
    expect(lastSent('group/set')).toMatchObject({
      inbox_config: { priority_values: ['Planned', 'Urgent', 'Emergency'] },
    }),
  )
})

test('[ENTITY-08] sends how a gatekeeper group compares patients where somebody changes it', async () => {
  show(gateway, gatekeeperEditor)
  await press('Edit Group g2')
  const preference = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'How patients are compared' })
  expect(preference.selectedOptions[0]?.textContent).toBe('Modality worklist')
  await userEvent.selectOptions(preference, 'Patient search in the PACS')
  await press('Save')
  await waitFor(() => expect(lastSent('group/set')).toBeDefined())
  expect(lastSent('group/set')).toMatchObject({ uuid: 'g2', inbox_config: { pacs_promote_preference: 'CFIND' } })
  expect(lastSent('group/set')?.['inbox_config']).not.toHaveProperty('risk_line')
})

test('[ENTITY-08] leaves form and destinations as they are where the role shows neither', async () => {
  show(gateway, { group_view: 1, group_edit: 1 })
  await press('Edit Group g2')
  await screen.findByText(/Your role lets you see no custom fields/)
  screen.getByText(/Your role lets you see no destinations/)
  await press('Save')
  await waitFor(() => expect(lastSent('group/set')).toBeDefined())
  expect(lastSent('group/set')).toEqual({ uuid: 'g2', seen: expect.anything() })
})

test('[API-37] fills the custom fields of a group, and of a copy', async () => {
  const customfields = [makeCustomField('f1', 'Cost centre', { value: '4711' }), makeCustomField('f2', 'Desk')]
  const read = { ...group('g1'), customfields, inbox_config: { active_study_filters: [], pacs_promote_groups: [] } }
  show({ 'group/get': read, 'group/set': {}, 'group/add': { uuid: 'n', namespace_id: 'ns' } })
  await press('Edit Group g1')
  const form = within(await screen.findByRole('form', { name: 'Edit group' }))
  expect(screen.getByRole('dialog', { name: 'Edit group: Group g1' })).toBeDefined()
  await userEvent.type(form.getByLabelText('Desk'), '12')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastSent('group/set')).toBeDefined())
  expect(lastSent('group/set')).toEqual({
    uuid: 'g1',
    'customfield-f2': '12',
    seen: expect.objectContaining({ 'customfield-f1': '4711', 'customfield-f2': '' }),
  })
  await press('Copy Group g1')
  const copy = within(await screen.findByRole('form', { name: 'Copy group' }))
  expect(copy.getByLabelText('Cost centre')).toHaveProperty('value', '4711')
  await userEvent.click(copy.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastSent('group/add')).toMatchObject({ 'customfield-f1': '4711' }))
  expect(lastSent('group/add')).not.toHaveProperty('customfield-f2')
})
