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
}

it('shows a person of an account under both names of the id, and whether sign-in is off as a number', () => {
  expect(presentAccountUser(row)).toEqual({ ...row, uuid: 'ann', disabled: 0 })
  expect(presentAccountUser({ ...row, disabled: true }).disabled).toBe(1)
})
