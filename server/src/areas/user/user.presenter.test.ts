import { expect, it } from 'vitest'
import { presentUser } from './user.presenter.ts'

const row = {
  uuid: 'user',
  email: 'ann@hilum.example',
  first_name: 'Ann',
  last_name: 'Reader',
  namespace_uuid: 'place',
  home_account: 'home',
  sysadmin: false,
  support: false,
  mobile_phone: '555',
  share_code: 'CODE',
  share_description: 'Ann',
  time_zone: 'Europe/Berlin',
  last_login: '2026-03-01',
  ui_json: { a: 1 },
  terms_md5: 'terms',
  privacy_md5: 'privacy',
  indicator_md5: 'indicator',
  pin_required: false,
}
const shown = {
  uuid: 'user',
  name: 'Ann Reader',
  first: 'Ann',
  last: 'Reader',
  email: 'ann@hilum.example',
  namespace_id: 'place',
  sysadmin: 0,
  support: 0,
  is_anonymous: 0,
  is_proxy: 0,
  pin_required: 0,
  training_todo: 0,
  mobile_phone: '555',
  share_code: 'CODE',
  share_description: 'Ann',
  time_zone: 'Europe/Berlin',
  last_login: '2026-03-01',
  terms_md5: 'terms',
  privacy_md5: 'privacy',
  indicator_md5: 'indicator',
  ui_json: { a: 1 },
}

it('shows a person, by e-mail address where no name is known', () => {
  expect(presentUser(row)).toEqual(shown)
  expect(presentUser({ ...row, first_name: '' })).toEqual({ ...shown, name: 'Reader', first: '' })
  const unnamed = { ...row, first_name: '', last_name: '' }
  expect(presentUser(unnamed)).toEqual({ ...shown, name: 'ann@hilum.example', first: '', last: '' })
})

it('says who runs the installation, and who supports it', () => {
  expect(presentUser({ ...row, sysadmin: true })).toEqual({ ...shown, sysadmin: 1 })
  expect(presentUser({ ...row, support: true })).toEqual({ ...shown, support: 1 })
})
