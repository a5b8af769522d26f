import { expect, it } from 'vitest'
import { presentGroup } from './group.presenter.ts'

const row = {
  uuid: 'group',
  name: 'Inbox',
  account_uuid: 'account',
  namespace_uuid: 'place',
  must_approve: false,
  must_approve_upload: false,
  must_approve_harvest: false,
  must_approve_move: false,
  no_share: false,
  share_code: 'CODE',
  share_description: 'For referrals',
  default_role_uuid: null,
  default_role_name: null,
  designation: 'CLOUD',
  share_settings: { hint: 1 },
  user_count: 3,
  customfields: { desk: '12' },
} as const
const definition = {
  uuid: 'desk',
  account_uuid: 'account',
  name: 'Desk',
  object: 'Group',
  type: 'text',
  display_order: null,
  required: false,
  options: null,
  ui_json: null,
  field_flag: '',
  extra: {},
} as const
const desk = { uuid: 'desk', name: 'Desk', type: 'text', value: '12', required: 0, options: null, ui_json: null }
const shown = {
  uuid: 'group',
  name: 'Inbox',
  account_id: 'account',
  namespace_id: 'place',
  must_approve: 0,
  must_approve_upload: 0,
  must_approve_harvest: 0,
  must_approve_move: 0,
  no_share: 0,
  share_code: 'CODE',
  share_description: 'For referrals',
  role_id: '',
  role_name: '',
  tags: [],
  group_designation: 'CLOUD',
  share_settings: { hint: 1 },
  user_count: 3,
  customfields: [desk],
}

it('shows a group with the role that its members get', () => {
  expect(presentGroup(row, [definition])).toEqual(shown)
  const reader = { default_role_uuid: 'reader', default_role_name: 'Reader' }
  expect(presentGroup({ ...row, ...reader }, [definition])).toEqual({
    ...shown,
    role_id: 'reader',
    role_name: 'Reader',
  })
})

it.each(['must_approve', 'must_approve_upload', 'must_approve_harvest', 'must_approve_move', 'no_share'] as const)(
  'says %s of itself alone',
  (name) => {
    expect(presentGroup({ ...row, [name]: true }, [definition])).toEqual({ ...shown, [name]: 1 })
  },
)
