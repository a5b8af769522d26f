import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db, {
  name: 'Northside',
  vanity: 'northside',
  settings: { enable_inbox_view: '1', brand_logo: 'blue' },
})
const group = await organisation.addGroup({ name: 'Emergency' })
const other = await organisation.addGroup({ name: 'outpatients' })
const clinician = await organisation.addPerson({ groups: [group] })
const admin = await organisation.addPerson({ role: 'Administrator' })
const elsewhere = await makeOrganisation(services.db, { name: 'Elsewhere' })
const stranger = await elsewhere.addPerson()
const foreignGroup = await elsewhere.addGroup()

it("[API-09] lists the caller's accounts by the setting enable_inbox_view", async () => {
  const list = (value: string) =>
    call('account/list', {
      sid: clinician.sid,
      "filter.settings->'enable_inbox_view'.equals": value,
      'fields.account': '["uuid","name","settings"]',
      permissions: 1,
    })
  expect((await list('1')).body).toEqual({
    status: 'OK',
    accounts: [{ uuid: organisation.accountUuid, name: 'Northside', settings: { enable_inbox_view: '1' } }],
    page: { more: 0, rows: 100, number: 1, total: 1 },
  })
  expect((await list('0')).body.accounts).toEqual([])
})

it('[API-10][ENTITY-01] reads an account with permissions and the brand settings that are asked for', async () => {
  const sent = { sid: clinician.sid, uuid: organisation.accountUuid, permissions: 1, brand_settings: 'logo,colour' }
  const { body } = await call('account/get', sent, { method: 'GET' })
  expect(body).toMatchObject({
    uuid: organisation.accountUuid,
    name: 'Northside',
    vanity: 'northside',
    namespace_id: organisation.namespaceUuid,
    role_name: 'Clinician',
    default_role_name: 'Clinician',
    settings: { enable_inbox_view: '1', brand_logo: 'blue' },
    permissions: { study_upload: 1, account_edit: 0 },
  })
  const plain = await call('account/get', { sid: clinician.sid, uuid: organisation.accountUuid })
  expect(plain.body.settings).toEqual({ enable_inbox_view: '1' })
  expect(plain.body).not.toHaveProperty('permissions')
})

it.each([
  ['account/get', { uuid: organisation.accountUuid }],
  ['role/list', { account_id: organisation.accountUuid }],
  ['group/list', { account_id: organisation.accountUuid }],
  ['group/get', { uuid: group.groupUuid }],
  ['mail/outbox', { account_id: organisation.accountUuid }],
])('%s: no session, not visible, missing and broken id', async (path, sent) => {
  const [name] = Object.keys(sent) as [string]
  expect((await call(path, sent)).status).toBe(401)
  expect((await call(path, { sid: stranger.sid, ...sent })).body.error_type).toBe('NOT_FOUND')
  expect((await call(path, { sid: admin.sid })).body).toMatchObject({
    error_type: 'MISSING_FIELDS',
    error_subtype: [name],
  })
  expect((await call(path, { sid: admin.sid, [name]: "x' or 1=1" })).body.error_type).toBe('NOT_FOUND')
})

it('[API-34] lists the roles to who may view them', async () => {
  const sent = { account_id: organisation.accountUuid, 'fields.role': '["uuid","name"]', sort_by: 'name-desc' }
  const { body } = await call('role/list', { sid: admin.sid, ...sent })
  expect(body.roles.map((role: { name: string }) => role.name)).toEqual([
    'Viewer',
    'Uploader',
    'Staff',
    'Gatekeeper reviewer',
    'Clinician',
    'Administrator',
  ])
  expect(Object.keys(body.roles[0])).toEqual(['uuid', 'name'])
  expect((await call('role/list', { sid: clinician.sid, ...sent })).body.error_type).toBe('NOT_PERMITTED')
  const byName = { sid: admin.sid, account_id: organisation.accountUuid, 'filter.name.equals': 'administrator' }
  expect((await call('role/list', byName)).body.roles[0]).toMatchObject({
    type: 'admin',
    for_group: 1,
    permissions: { account_edit: 1, study_search_require_patientid: 0 },
  })
})

it('[API-11] lists all groups with group_view, else the own ones, page by page', async () => {
  const list = async (sid: string, sent: object = {}) =>
    (await call('group/list', { sid, account_id: organisation.accountUuid, ...sent })).body
  const names = (body: { groups: { name: string }[] }) => body.groups.map((one) => one.name)
  expect(names(await list(admin.sid))).toEqual(['Emergency', 'outpatients'])
  expect(names(await list(clinician.sid))).toEqual(['Emergency'])
  const first = await list(admin.sid, { 'page.rows': 1 })
  expect(first).toMatchObject({ groups: [{ name: 'Emergency' }], page: { more: 1, rows: 1, number: 1 } })
  const second = await list(admin.sid, { 'page.rows': '1', 'page.number': '2' })
  expect(second).toMatchObject({ groups: [{ name: 'outpatients' }], page: { more: 0, rows: 1, number: 2 } })
  expect(names(await list(admin.sid, { 'filter.namespace_id.equals': other.namespaceUuid }))).toEqual(['outpatients'])
  expect(await list(admin.sid, { 'filter.secret.equals': '1' })).toMatchObject({ error_type: 'INVALID_FIELD' })
  expect(await list(admin.sid, { 'filter.name.soundslike': '1' })).toMatchObject({ error_type: 'INVALID_CONDITION' })
  expect(await list(admin.sid, { sort_by: 'secret-asc' })).toMatchObject({ error_type: 'INVALID_SORT_FIELD' })
  expect(await list(admin.sid, { sort_by: 'name-up' })).toMatchObject({ error_type: 'INVALID_SORT_ORDER' })
  expect(await list(admin.sid, { 'page.rows': 'all' })).toMatchObject({ error_type: 'INVALID_INTEGER' })
})

it('reads a group that the caller belongs to, or any of the account with group_view', async () => {
  const get = async (sid: string, uuid: string) => (await call('group/get', { sid, uuid })).body
  expect(await get(clinician.sid, group.groupUuid)).toMatchObject({
    name: 'Emergency',
    namespace_id: group.namespaceUuid,
    account_id: organisation.accountUuid,
    must_approve: 0,
    tags: [],
  })
  expect(await get(admin.sid, other.groupUuid)).toMatchObject({ name: 'outpatients' })
  expect(await get(clinician.sid, other.groupUuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await get(admin.sid, foreignGroup.groupUuid)).toMatchObject({ error_type: 'NOT_FOUND' })
})

it('shows waiting mails to administrators only', async () => {
  await call('user/password/lost', { email: clinician.email })
  await call('user/password/lost', { email: stranger.email })
  const { body } = await call('mail/outbox', { sid: admin.sid, account_id: organisation.accountUuid })
  expect(body).toMatchObject({ has_smtp: 0, page: { more: 0, rows: 50, number: 1 } })
  expect(body.mails).toEqual([
    {
      uuid: expect.any(String),
      recipient: clinician.email,
      subject: 'Reset your password',
      body: expect.stringContaining('The link is not shown'),
      created: expect.stringMatching(/\+00$/),
      last_error: '',
      sent_at: null,
      returned_at: null,
      given_up: 0,
      cancelled: 0,
      held: 0,
      may_retry: 0,
    },
  ])
  const sent = { sid: clinician.sid, account_id: organisation.accountUuid }
  expect((await call('mail/outbox', sent)).body.error_type).toBe('NOT_PERMITTED')
})

it('[API-36] passes a uuid on in a bundle', async () => {
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/group/list', sid: admin.sid, account_id: organisation.accountUuid },
        { URL: '/group/get', sid: admin.sid, uuid: '{{groups.[1].uuid}}' },
        { URL: '/group/get', sid: clinician.sid, uuid: other.groupUuid },
        { URL: '/account/get', sid: stranger.sid, uuid: organisation.accountUuid },
      ],
    },
  )
  expect(body.map((item: { HTTP_STATUS_CODE: string }) => item.HTTP_STATUS_CODE)).toEqual(['200', '200', '412', '412'])
  expect(body[1].name).toBe('outpatients')
})

it('keeps the start and end of an upload on record, of who may upload there', async () => {
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  const tell = (sid: string | undefined, sent: object = {}) =>
    call('webhook/event', {
      sid,
      namespace_id: group.namespaceUuid,
      type: 'STUDY_UPLOAD_START',
      study_count: 2,
      ...sent,
    })
  expect((await tell(clinician.sid)).body).toEqual({ status: 'OK' })
  expect((await tell(undefined)).status).toBe(401)
  expect((await tell(viewer.sid)).body.error_type).toBe('NOT_PERMITTED')
  expect((await tell(stranger.sid)).body.error_type).toBe('NOT_FOUND')
  expect((await tell(clinician.sid, { type: 'STUDY_SHARE' })).body.error_type).toBe('INVALID_FIELD')
  const rows = await query(`select action, detail from audit where object_uuid = '${group.namespaceUuid}'
    and action <> 'ACCESS_REFUSED'`)
  expect(rows).toEqual([{ action: 'STUDY_UPLOAD_START', detail: { study_count: 2 } }])
})
