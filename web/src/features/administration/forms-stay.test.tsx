import { focusManager } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { makePlace } from '../../../test/make-place.ts'
import { sentCalls, showSignedIn } from '../../../test/signed-in.tsx'
import { PlaceForm } from './groups/place-form.tsx'
import { RoleForm } from './roles/role-form.tsx'
import { RuleForm } from './routing/rule-form.tsx'
import { UserForm } from './users/user-form.tsx'

afterEach(() => {
  focusManager.setFocused(undefined)
  vi.unstubAllGlobals()
})

const person = {
  user_id: 'p',
  user_email: 'nils@clinic.example',
  first: 'Nils',
  last: 'Brandt',
  role_id: 'r1',
  groups: [],
  locations: [],
  other_accounts: 0,
  customfields: [],
}
const role = {
  uuid: 'r1',
  name: 'Staff',
  description: '',
  type: '',
  for_account: 1,
  for_group: 1,
  for_location: 0,
  permissions: {},
  settings: {},
}
const rule = {
  uuid: 'a',
  name: 'Rule',
  namespace_id: 'n1',
  other_namespaces: '',
  namespaces: [{ uuid: 'n1', name: 'Neuro' }],
  suspended: 0,
  conditions: [],
  actions: [],
  options: {},
  schedule: null,
  delay_seconds: 0,
  delay_from_study_field: '',
  delay_from_study_seconds: 0,
  manual_roles: '',
  row_version: 1,
}
const targets = { places: [], people: [], webhooks: [], destinations: [], roles: [], customfields: [] }
const handlers = { onSaved: () => undefined, onClose: () => undefined }
const everything = { account_user_edit: 1, role_view: 1, role_edit: 1, group_view: 1, group_edit: 1, route_edit: 1 }

const forms: [name: string, form: ReactNode, path: string, read: object, field: string][] = [
  ['a user', <UserForm key="" userId="p" {...handlers} />, 'account/user/get', person, 'First name'],
  ['a role', <RoleForm key="" roleId="r1" isCopy={false} {...handlers} />, 'role/get', role, 'Role'],
  [
    'a group',
    <PlaceForm key="" of="groups" placeId="g1" isCopy={false} {...handlers} />,
    'group/get',
    { ...makePlace('g1', 'Neuro'), inbox_config: {} },
    'Group name',
  ],
  ['a routing rule', <RuleForm key="" uuid="a" {...handlers} />, 'route/get', rule, 'Name'],
]

test.each(forms)('the form of %s stays, with what was typed, where it cannot be read again', async (...given) => {
  const [, form, path, read, label] = given
  let isDown = false
  const lists = {
    'role/list': { roles: [role] },
    'group/list': { groups: [] },
    'customfield/list': { customfields: [] },
    'route/targets': targets,
  }
  const listed = Object.entries({ ...lists, [path]: read }).map(([one, reply]) => [one, () => (isDown ? 500 : reply)])
  showSignedIn(form, Object.fromEntries(listed) as Record<string, unknown>, {}, everything)
  const field = await screen.findByRole('textbox', { name: label })
  await userEvent.clear(field)
  await userEvent.type(field, 'Typed by hand')
  isDown = true
  const asked = sentCalls.filter((one) => one.path === path).length
  act(() => focusManager.setFocused(false))
  act(() => focusManager.setFocused(true))
  await waitFor(() => expect(sentCalls.filter((one) => one.path === path).length).toBeGreaterThan(asked))
  // the refusal has come once what it would show has had its turn
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)))
  expect(screen.getByRole('textbox', { name: label })).toHaveProperty('value', 'Typed by hand')
})
