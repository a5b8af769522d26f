import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCustomField } from '../../../../test/make-custom-field.ts'
import { makePlace, makePlaceMember } from '../../../../test/make-place.ts'
import { askedAddresses, lastSent, type Replies, sentCalls, showSignedIn } from '../../../../test/signed-in.tsx'
import { Locations } from './groups.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const longName = `Ward ${'x'.repeat(95)}`
const all = [makePlace('l1', 'North'), makePlace('l2', longName, { group_designation: 'LIBRARY', must_approve: 1 })]
const role = { for_account: 0, for_group: 0, for_location: 0 }
const roles = [
  { uuid: 'r1', name: 'Staff', ...role, for_location: 1 },
  { uuid: 'r2', name: 'Of groups', ...role, for_group: 1 },
]
const page = { more: 0, rows: 10, number: 1, total: 2 }
const answers: Replies = {
  'location/list': { locations: all, page },
  'location/get': { ...all[0], inbox_config: { active_study_filters: [], pacs_promote_groups: ['g9'] } },
  'location/user/list': { users: [makePlaceMember('b'), makePlaceMember('c', { disabled: 1 })], page },
  'group/list': { groups: [], page },
  'role/list': { roles, page },
  'customfield/list': { customfields: [], page },
  'account/user/list': { users: [makePlaceMember('d'), makePlaceMember('e')], page },
}
const editor = { location_view: 1, location_edit: 1, role_view: 1, account_user_view: 1 }
const show = (replies: Replies = {}, permissions: Record<string, number> = editor) =>
  showSignedIn(<Locations />, { ...answers, ...replies }, {}, permissions)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const save = async (form: HTMLElement) => userEvent.click(within(form).getByRole('button', { name: 'Save' }))

test('shows the locations with their type, people, role and approval, a long name whole', async () => {
  show()
  const rows = within(await screen.findByRole('grid', { name: 'Locations' })).getAllByRole('row')
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    'NorthCloud2Role in the organisationNone–',
    `${longName}Library2Role in the organisationShares wait–`,
  ])
})

test('[PERM-03] opens for who may view or edit locations, and offers changes to who may edit alone', async () => {
  show({}, { group_view: 1, group_edit: 1 })
  await screen.findByText(/Only people who may view or edit the locations/)
  expect(sentCalls).toEqual([])
  document.body.replaceChildren()
  show({}, { location_view: 1, group_edit: 1 })
  await screen.findByRole('grid', { name: 'Locations' })
  expect(screen.queryByRole('button', { name: 'Add location' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit North' })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('[GRID-01] keeps page, order and filter in the address, and asks the server by them', async () => {
  history.replaceState(null, '', '/?page=3&sort=user_count-desc&name=nor&type=LIBRARY')
  show()
  await screen.findByRole('grid', { name: 'Locations' })
  expect(lastSent('location/list')).toMatchObject({
    'page.number': 3,
    sort_by: 'user_count-desc',
    'filter.name.like': '%nor%',
    'filter.group_designation.equals': 'LIBRARY',
  })
  const types = within(screen.getByRole('form', { name: 'Filter locations' })).getAllByRole('option')
  expect(types.map((one) => one.textContent)).toEqual(['All types', 'Cloud', 'Library'])
})

test('makes a location: no gatekeeper, roles for locations alone, and a share code by which everybody may upload', async () => {
  show()
  await press('Add location')
  const form = await screen.findByRole('form', { name: 'Add location' })
  expect(document.activeElement).toBe(within(form).getByLabelText('Location name'))
  await save(form)
  await within(form).findByText('A location needs a name.')
  const options = (label: string) =>
    within(within(form).getByLabelText(label))
      .getAllByRole('option')
      .map((one) => one.textContent)
  expect(options('Type')).toEqual(['Cloud', 'Library'])
  expect(options('Default role')).toEqual(['Role in the organisation', 'Staff'])
  const uploads = () => within(form).getByRole('checkbox', { name: /without a login/ })
  expect(uploads()).toHaveProperty('disabled', true)
  await userEvent.type(within(form).getByLabelText('Share code'), 'SOUTH7')
  await userEvent.click(uploads())
  await userEvent.type(within(form).getByLabelText('Location name'), ' South ')
  await userEvent.selectOptions(within(form).getByLabelText('Default role'), 'Staff')
  await userEvent.type(within(form).getByLabelText('AE title'), 'SOUTH')
  await save(form)
  await waitFor(() =>
    expect(lastSent('location/add')).toMatchObject({
      account_id: 'a',
      name: 'South',
      role_id: 'r1',
      inbox_config: { group_designation: 'CLOUD' },
      dicom_ae_title: 'SOUTH',
      share_code: 'SOUTH7',
      share_settings: { must_approve: 1, takes_uploads: 1 },
    }),
  )
  expect(lastSent('group/add')).toBeUndefined()
})

test('renames a location, and sends nothing else, so that groups that the role does not show stay', async () => {
  show()
  await press('Edit North')
  const form = await screen.findByRole('form', { name: 'Edit location' })
  within(form).getByText(/Your role shows the groups that you belong to alone/)
  const name = within(form).getByLabelText('Location name')
  await userEvent.clear(name)
  await userEvent.type(name, 'North wing')
  await save(form)
  await waitFor(() =>
    expect(lastSent('location/set')).toEqual({ uuid: 'l1', name: 'North wing', seen: expect.anything() }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each([
  [{ error_type: 'DUP_NAMESPACE_NAME' }, 'Another group or location has this name.'],
  [{ error_type: 'INVALID_FIELD', error_subtype: 'name' }, /name/i],
  [{ error_type: 'NOT_EMPTY' }, 'The type can change only while the location holds no studies.'],
  [{ error_type: 'NOT_PERMITTED' }, /The location could not be saved\. You do not have the permission/],
])('says why a location was not saved, and loses nothing that was typed: %j', async (reply, words) => {
  show({ 'location/set': reply })
  await press('Edit North')
  const form = await screen.findByRole('form', { name: 'Edit location' })
  await userEvent.type(within(form).getByLabelText('Location name'), ' wing')
  await save(form)
  expect((await within(form).findAllByText(words)).length).toBeGreaterThan(0)
  expect(within(form).getByLabelText('Location name')).toHaveProperty('value', 'North wing')
})

test('[GRID-05] deletes several in one request, and says that one stays because of its studies', async () => {
  show({ 'location/delete': ({ uuid }: { uuid: string }) => (uuid === 'l1' ? { error_type: 'NOT_EMPTY' } : {}) })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all of this page' }))
  await screen.findByText('2 locations selected')
  const bar = screen.getByRole('group', { name: 'Actions on the selected locations' })
  await userEvent.click(within(bar).getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete locations?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await screen.findByText('North could not be deleted. There are studies in it: delete them first.')
  expect(await screen.findByText('1 location selected')).toBeTruthy()
  expect(sentCalls.filter(({ path }) => path === 'location/delete').map(({ sent }) => sent['uuid'])).toEqual([
    'l1',
    'l2',
  ])
  expect(askedAddresses.filter((one) => /bundle|delete/.test(one))).toEqual(['/api/v3/bundle'])
})

test('shows the people of a location, gives one another role, takes one out and puts others in', async () => {
  show()
  await press('People of North')
  expect(location.search).toBe('?location=l1')
  await screen.findByRole('grid', { name: 'People of North' })
  const choice = screen.getByRole('combobox', { name: 'Role of User b in the location' })
  expect(within(choice).queryByText('Of groups')).toBeNull()
  await userEvent.selectOptions(choice, 'Staff')
  await waitFor(() => expect(lastSent('location/user/add')).toMatchObject({ uuid: 'l1', user_id: 'b', role_id: 'r1' }))
  await press('Remove User c from the location')
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove from the location' }),
  )
  await waitFor(() => expect(lastSent('location/user/delete')).toMatchObject({ uuid: 'l1', user_id: 'c' }))
  await press('Add people')
  const form = await screen.findByRole('form', { name: 'Add people' })
  await userEvent.click(await within(form).findByRole('checkbox', { name: 'User d' }))
  await userEvent.click(within(form).getByRole('button', { name: 'Add to the location' }))
  await waitFor(() => expect(lastSent('location/user/add')).toMatchObject({ uuid: 'l1', user_id: 'd' }))
  await press('All locations')
  await screen.findByRole('grid', { name: 'Locations' })
  expect(location.search).toBe('')
})

test('says so while locations load, when they cannot be loaded, when there are none, and when one is gone', async () => {
  show({ 'location/list': 500 })
  await screen.findByText('The locations could not be loaded.')
  document.body.replaceChildren()
  show({ 'location/list': { locations: [], page } })
  await screen.findByText('There are no locations yet.')
  document.body.replaceChildren()
  history.replaceState(null, '', '/?location=l1')
  show({ 'location/user/list': { users: [], page } })
  await screen.findByText('Nobody belongs to this location yet.')
  document.body.replaceChildren()
  history.replaceState(null, '', '/?location=gone')
  show({ 'location/get': { error_type: 'NOT_FOUND' } })
  expect(await screen.findByText('The location is not there any more.')).toBeTruthy()
})

test('says of a location that could not be loaded no more than that, and reads it again', async () => {
  let isDown = true
  history.replaceState(null, '', '/?location=l1')
  show({ 'location/get': () => (isDown ? 500 : answers['location/get']) })
  await screen.findByText('The location could not be loaded.')
  expect(screen.queryByText('The location is not there any more.')).toBeNull()
  isDown = false
  await press('Try again')
  expect(await screen.findByRole('grid', { name: /^People of / })).toBeTruthy()
})

test('[API-37] asks for the custom fields of locations alone where one is made', async () => {
  const definition = { ...makeCustomField('f1', 'Site', { required: 1 }), object: 'Location' }
  const customfields = [definition, { ...definition, uuid: 'f2', name: 'Of groups', object: 'Group' }]
  const replies = { 'customfield/list': { customfields, page }, 'location/add': { uuid: 'n', namespace_id: 'ns' } }
  show(replies, { ...editor, customfield_view: 1 })
  await press('Add location')
  const form = await screen.findByRole('form', { name: 'Add location' })
  await userEvent.type(within(form).getByLabelText('Location name'), 'West')
  const site = await within(form).findByLabelText(/^Site/)
  expect(within(form).queryByLabelText(/^Of groups/)).toBeNull()
  await save(form)
  await within(form).findByText('This field is required.')
  expect(lastSent('location/add')).toBeUndefined()
  await userEvent.type(site, 'Hill')
  await save(form)
  await waitFor(() => expect(lastSent('location/add')).toMatchObject({ name: 'West', 'customfield-f1': 'Hill' }))
})
