import { acts } from '@hilum/contract/acts'
import { permissions } from '@hilum/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { lastSent, type Replies, showSignedIn } from '../../../../test/signed-in.tsx'
import { otherPermissions, permissionSubjects } from '@hilum/contract/permission-subjects'
import { Roles } from './roles.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const role = (uuid: string, given: object = {}) => ({
  uuid,
  name: `Role ${uuid}`,
  description: 'For tests',
  type: '',
  for_account: 1,
  for_group: 1,
  for_location: 0,
  permissions: { study_view: 1, study_star: 0, study_delete: 1, case_view: 1, study_field_patientid: 'H', ui_json: '' },
  user_count: 3,
  ...given,
})
const page = { more: 0, rows: 10, number: 1, total: 2 }
const person = { user_id: 'b', user_name: 'Ida Holm', user_email: 'b@c.example', disabled: 0, place_id: 'g1' }
const answers: Replies = {
  'role/list': { roles: [role('r1'), role('r2', { type: 'admin' })], page },
  'role/get': { ...role('r1'), settings: {}, default_of: [{ type: 'group', uuid: 'g1', name: 'Emergency' }] },
  'role/user/list': { users: [{ ...person, place_type: 'group', place_name: 'Emergency' }], page },
}
const editor = { role_view: 1, role_edit: 1, study_view: 1, study_star: 1, study_tag: 1 }
const show = (replies: Replies = {}, held: Record<string, number | string> = editor) =>
  showSignedIn(<Roles />, { ...answers, ...replies }, {}, held)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

test('shows the roles with the places in which they are given, and how many have them', async () => {
  show()
  const grid = await screen.findByRole('grid', { name: 'Roles' })
  expect(
    within(grid)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(['Role r1For testsOrganisation, Groups3', 'Role r2Built inFor testsOrganisation, Groups3'])
  expect(screen.getByRole('button', { name: 'Delete Role r2' })).toHaveProperty('disabled', true)
})

test('[PERM-03] opens for who may view roles, and offers changes to who may edit alone', async () => {
  show({}, {})
  await screen.findByText(/Only people who may view the roles/)
  document.body.replaceChildren()
  show({}, { role_view: 1 })
  await screen.findByRole('grid', { name: 'Roles' })
  expect(screen.queryByRole('button', { name: 'Add role' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Copy Role r1' })).toBeNull()
})

test('sends of a changed role only what differs', async () => {
  show()
  await press('Edit Role r1')
  const form = within(await screen.findByRole('form', { name: 'Edit role' }))
  await userEvent.click(form.getByRole('checkbox', { name: 'Star studies.' }))
  await userEvent.selectOptions(form.getByLabelText('Modality'), 'Read only')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(lastSent('role/set')).toEqual({
      uuid: 'r1',
      permissions: { study_star: 1, study_field_modality: 'O' },
      seen: expect.objectContaining({ name: 'Role r1', permissions: role('r1').permissions }),
    }),
  )
})

test('copies a role with all that it gives', async () => {
  show()
  await press('Copy Role r1')
  const form = within(await screen.findByRole('form', { name: 'Copy role' }))
  expect(form.getByLabelText('Role')).toHaveProperty('value', 'Role r1 (copy)')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(lastSent('role/add')).toMatchObject({
      account_id: 'a',
      name: 'Role r1 (copy)',
      permissions: { study_view: 1, study_delete: 1, case_view: 1, study_field_patientid: 'H' },
    }),
  )
})

test('lets nobody tick what they do not hold, but untick it', async () => {
  show()
  await press('Edit Role r1')
  const form = within(await screen.findByRole('form', { name: 'Edit role' }))
  expect(form.getByRole('checkbox', { name: 'Put tags on studies and take them off.' })).toHaveProperty(
    'disabled',
    false,
  )
  expect(form.getByRole('checkbox', { name: 'Download studies.' })).toHaveProperty('disabled', true)
  const deletes = form.getByRole('checkbox', { name: /^Delete studies/ })
  expect(deletes).toHaveProperty('disabled', false)
  await userEvent.click(deletes)
  expect(deletes).toHaveProperty('checked', false)
})

test('lets everybody give a restriction, and nobody lift one that holds for them', async () => {
  const open = 'filter_edit_only_own'
  const label = 'Change no saved searches but the own ones. This takes a right away.'
  show()
  await press('Add role')
  const form = within(await screen.findByRole('form', { name: 'Add role' }))
  const box = form.getByRole('checkbox', { name: label })
  expect(box).toMatchObject({ disabled: false, checked: false })
  expect(box.getAttribute('aria-describedby')).toBeNull()
  await userEvent.click(box)
  await userEvent.type(form.getByLabelText('Role'), 'Limited')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(lastSent('role/add')).toMatchObject({ permissions: { [open]: 1 } }))
})

test('ticks at first in a new role, and in a copy, the limits that hold for its maker', async () => {
  const name = 'filter_edit_only_own'
  const limited = { ...editor, [name]: 1, study_field_patient_name: 'H', study_field_modality: 'O' }
  const label = 'Change no saved searches but the own ones. This takes a right away.'
  for (const [act, title] of [
    ['Add role', 'Add role'],
    ['Copy Role r1', 'Copy role'],
  ] as const) {
    const { unmount } = show({}, limited)
    await press(act)
    const form = within(await screen.findByRole('form', { name: title }))
    expect(form.getByRole('checkbox', { name: label })).toMatchObject({ disabled: true, checked: true })
    form.getByText('This holds for you, and so for every role that you make.')
    const modality = form.getByLabelText<HTMLSelectElement>('Modality')
    expect(modality.value).toBe('O')
    expect([...modality.options].filter((one) => one.disabled).map((one) => one.value)).toEqual(['F', 'R'])
    await userEvent.clear(form.getByLabelText('Role'))
    await userEvent.type(form.getByLabelText('Role'), 'Mine')
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(lastSent('role/add')).toMatchObject({
        permissions: { [name]: 1, study_field_patient_name: 'H', study_field_modality: 'O' },
      }),
    )
    unmount()
  }
})

test('[PERM-18] copies the settings of a role where they may be set, and says so where not', async () => {
  const settings = { ui_json: '{"rows":50}' }
  const replies = { 'role/get': { ...role('r1'), settings, default_of: [] } }
  const { unmount } = show(replies, { ...editor, role_setting_edit: 1 })
  await press('Copy Role r1')
  await screen.findByRole('form', { name: 'Copy role' })
  await press('Save')
  await waitFor(() => expect(lastSent('role/add')).toMatchObject({ settings }))
  unmount()
  show(replies)
  await press('Copy Role r1')
  await screen.findByText('The settings of the role are not copied: your role does not let you set them.')
  await press('Save')
  await waitFor(() => expect(lastSent('role/add')).toBeDefined())
  expect(lastSent('role/add')).not.toHaveProperty('settings')
})

test('finds a permission by its name or its sentence', async () => {
  show()
  await press('Add role')
  const form = within(await screen.findByRole('form', { name: 'Add role' }))
  await userEvent.type(form.getByLabelText('Find a permission'), 'star')
  expect(form.getByRole('checkbox', { name: 'Star studies.' })).toBeTruthy()
  expect(form.queryByRole('checkbox', { name: 'Download studies.' })).toBeNull()
  await userEvent.type(form.getByLabelText('Find a permission'), 'zzz')
  await form.findByText('No permission matches.')
})

test.each([
  [{ error_type: 'ALREADY_EXISTS' }, 'Another role has this name.'],
  [{ error_type: 'IN_USE', error_subtype: 'for_group' }, /it is a default, or sign-in by a provider gives it/],
  [{ error_type: 'NO_OTHER_ROLE_EDIT' }, /Nobody who has signed in would be left/],
  [{ error_type: 'NOT_PERMITTED', error_subtype: 'ROLE_ABOVE' }, /It allows more than you may do/],
])('says why a role was not saved: %j', async (reply, words) => {
  show({ 'role/set': reply })
  await press('Edit Role r1')
  const form = within(await screen.findByRole('form', { name: 'Edit role' }))
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText(words)).toBeTruthy()
})

test('shows who has a role, where, and of what it is the default', async () => {
  show()
  await press('Who has the role Role r1')
  const dialog = within(await screen.findByRole('dialog', { name: 'Who has Role r1' }))
  await dialog.findByText('Default in: Emergency')
  expect((await dialog.findByRole('row', { name: /Ida Holm/ })).textContent).toBe('Ida HolmEmergency')
})

test('says why a role was not deleted', async () => {
  show({ 'role/delete': { error_type: 'IN_USE', error_subtype: ['account'] } })
  await press('Delete Role r1')
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  const words = 'Role r1 could not be deleted. Somebody has it, it is a default, or sign-in by a provider gives it.'
  expect(await screen.findByText(words)).toBeTruthy()
})

test('every permission that decides something here has its sentence, and each stands once', () => {
  const named = permissions.filter((one) => JSON.stringify(acts).includes(`"${one}"`))
  const told: readonly string[] = Object.values(permissionSubjects).flat()
  expect(named.filter((one) => !told.includes(one))).toEqual([])
  expect([...told, ...otherPermissions].toSorted()).toEqual(permissions.toSorted())
})

test('[PERM-18] shows as many rows at first as the settings of the role say', async () => {
  const ui = JSON.stringify({ roles: { rows: 50 } })
  showSignedIn(<Roles />, answers, {}, { ...editor, ui_json: ui })
  await screen.findByRole('grid', { name: 'Roles' })
  expect(lastSent('role/list')).toMatchObject({ 'page.rows': 50 })
  document.body.replaceChildren()
  showSignedIn(<Roles />, answers, { roles_rows_to_display: '25' }, { ...editor, ui_json: ui })
  await screen.findByRole('grid', { name: 'Roles' })
  expect(lastSent('role/list')).toMatchObject({ 'page.rows': 25 })
})

test('a role that somebody else changed meanwhile is saved over the change only when asked for', async () => {
  let reply: unknown = { error_type: 'STALE' }
  show({ 'role/set': () => reply })
  await press('Edit Role r1')
  const form = within(await screen.findByRole('form', { name: 'Edit role' }))
  const description = form.getByRole('textbox', { name: 'Description' })
  await userEvent.type(description, ' of mine')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText(/Somebody else changed this while the form was open/)
  expect(description).toHaveProperty('value', 'For tests of mine')
  reply = {}
  await press('Save mine')
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Edit role' })).toBeNull())
  expect(lastSent('role/set')).not.toHaveProperty('seen')
})

test('names the routing rules that keep a role from being deleted', async () => {
  const reply = { error_type: 'IN_USE', error_subtype: ['route'], error_data: { routes: ['To research'] } }
  show({ 'role/delete': reply })
  await press('Delete Role r1')
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/^Role r1 could not be deleted\. People .* by hand: To research\./)).toBeTruthy()
})
