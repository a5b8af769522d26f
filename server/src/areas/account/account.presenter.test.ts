import { expect, it } from 'vitest'
import { chooseSettings, presentAccount } from './account.presenter.ts'

const row = {
  uuid: 'account',
  name: 'North',
  vanity: 'north',
  namespace_uuid: 'place',
  password_expire_days: 90,
  session_expire_minutes: 30,
  issuer: 'NORTH',
  pin_required: false,
  support_until: null,
  must_approve: false,
  must_approve_upload: true,
  must_approve_harvest: false,
  no_share: false,
  share_code: 'NORTH1',
  share_description: 'Radiology',
  share_settings: { must_approve: 0 },
  role_uuid: 'role',
  role_name: 'Admin',
  default_role_uuid: null,
  default_role_name: null,
  customfields: { desk: '12' },
}

const definition = {
  uuid: 'desk',
  account_uuid: 'account',
  name: 'Desk',
  object: 'Account',
  type: 'text',
  display_order: null,
  required: false,
  options: null,
  ui_json: null,
  field_flag: '',
  extra: {},
} as const
const desk = { uuid: 'desk', name: 'Desk', type: 'text', value: '12', required: 0, options: null, ui_json: null }

it('shows an account with its settings, and what the caller holds there when that is asked for', () => {
  const shown = {
    uuid: 'account',
    name: 'North',
    vanity: 'north',
    namespace_id: 'place',
    password_expire: 90,
    session_expire: 30,
    issuer: 'NORTH',
    pin_required: 0,
    support_until: null,
    must_approve: 0,
    must_approve_upload: 1,
    must_approve_harvest: 0,
    no_share: 0,
    share_code: '',
    share_description: 'Radiology',
    share_settings: {},
    role_id: 'role',
    role_name: 'Admin',
    default_role_id: '',
    default_role_name: '',
    settings: { enable_inbox_view: '1' },
    customfields: [desk],
  }
  expect(presentAccount(row, { enable_inbox_view: '1' }, [definition], undefined, false)).toEqual(shown)
  const withDefault = { ...row, default_role_uuid: 'reader', default_role_name: 'Reader' }
  const { permissions, ...rest } = presentAccount(withDefault, {}, [], new Set(['account_edit']), true)
  expect(rest).toEqual({
    ...shown,
    share_code: 'NORTH1',
    share_settings: { must_approve: 0 },
    settings: {},
    customfields: [],
    default_role_id: 'reader',
    default_role_name: 'Reader',
  })
  expect(permissions).toMatchObject({ account_edit: 1, account_view: 0 })
})

it('gives settings of the brand only when they are named', () => {
  const all = { brand_logo: 'a', brand_color: 'b', brand_name: 'c', enable_brand: 'd', timeout: 'e' }
  expect(chooseSettings(all, '')).toEqual({ enable_brand: 'd', timeout: 'e' })
  expect(chooseSettings(all, 'logo, color')).toEqual({
    brand_logo: 'a',
    brand_color: 'b',
    enable_brand: 'd',
    timeout: 'e',
  })
})
