import { expect, it } from 'vitest'
import { presentAccountUser } from './account-user.presenter.ts'

const row = {
  user_id: 'ann',
  user_name: 'Ann Lee',
  user_email: 'ann@north.example',
  first: 'Ann',
  last: 'Lee',
  role_id: 'role',
  role_name: 'Clinician',
  disabled: false,
  account_login: 'alee',
  last_login: null,
  customfields: { desk: '12' },
}

const definition = {
  uuid: 'desk',
  account_uuid: 'account',
  name: 'Desk',
  object: 'User_account',
  type: 'text',
  display_order: null,
  required: false,
  options: null,
  ui_json: null,
  field_flag: '',
  extra: {},
} as const
const desk = { uuid: 'desk', name: 'Desk', type: 'text', value: '12', required: 0, options: null, ui_json: null }

it('shows a person of an account under both names of the id, and whether sign-in is off as a number', () => {
  const shown = { ...row, uuid: 'ann', disabled: 0, customfields: [desk], is_above: 0 }
  const found = { ...row, is_operator: false, held_roles: ['role'] }
  expect(presentAccountUser(found, [definition], false)).toEqual(shown)
  expect(presentAccountUser({ ...found, disabled: true }, [], true)).toMatchObject({ disabled: 1, is_above: 1 })
})
