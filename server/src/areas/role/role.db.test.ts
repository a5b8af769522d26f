import { permissionDefaults, permissions } from '@hilum/contract/permissions'
import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { newEmail, startPeople } from '../../../test/people-fixture.ts'

const people = await startPeople()
const { services, call, query, organisation, elsewhere, admin, accountUuid, roleOf, addHolder, add: invite } = people
const group = await organisation.addGroup({ name: 'Emergency' })
let made = 0

const asked = async (path: string, sent: object, sid = admin.sid) => (await call(path, { sid, ...sent })).body
const add = (sent: object = {}, sid?: string) =>
  asked('role/add', { account_id: accountUuid, name: `Made ${++made}`, ...sent }, sid)
const set = (uuid: string, sent: object, sid?: string) => asked('role/set', { uuid, ...sent }, sid)
const get = (uuid: string) => asked('role/get', { uuid })
const remove = (uuid: string, sid?: string) => asked('role/delete', { uuid }, sid)
const said = (body: { error_type?: string; error_subtype?: unknown; status: string }) =>
  body.error_type ? [body.error_type, body.error_subtype] : body.status

it('[API-37] makes a role with the rights of a user, or with just those that are named', async () => {
  const { uuid } = await add({ name: ' Reader ', description: 'Reads' })
  const read = await get(uuid)
  expect(read).toMatchObject({
    name: 'Reader',
    description: 'Reads',
    type: '',
    for_account: 1,
    user_count: 0,
    default_of: [],
  })
  const flags = permissions.map((name) => [name, permissionDefaults[name].user])
  expect(read.permissions).toMatchObject(Object.fromEntries(flags))
  expect(read.permissions).toMatchObject({ study_field_patient_name: 'F', ui_json: '' })
  const bare = await get((await add({ permissions: JSON.stringify({ study_view: 1 }), for_group: 0 })).uuid)
  expect(permissions.filter((name) => bare.permissions[name] === 1)).toEqual(['study_view'])
  expect([bare.for_account, bare.for_group, bare.for_location]).toEqual([1, 0, 1])
})

it('marks in the list the roles that give more than the caller holds, which the caller is refused to give', async () => {
  const giver = await addHolder(['role_view', 'account_user_view', 'account_user_edit', 'study_view'])
  const within = await add({ permissions: { study_view: 1 } })
  const above = await add({ permissions: { study_view: 1, study_delete: 1 } })
  const { roles } = await asked('role/list', { account_id: accountUuid, 'page.rows': 100 }, giver.sid)
  for (const [{ uuid }, mark, answer] of [
    [within, 0, 'OK'],
    [above, 1, 'CAN_NOT_PROMOTE'],
  ]) {
    expect(roles.find((one: { uuid: string }) => one.uuid === uuid)).toMatchObject({ is_above: mark })
    const sent = { uuid: accountUuid, email: newEmail(), first: 'Ida', last: 'Holm', role_id: uuid }
    const { status, error_type: fault } = await asked('account/user/add', sent, giver.sid)
    expect(fault ?? status).toBe(answer)
  }
  const own = await asked('role/list', { account_id: accountUuid, 'page.rows': 100 })
  expect(own.roles.map((one: { is_above: number }) => one.is_above)).not.toContain(1)
})

it('changes the permissions that are named, in a hash or one by one, and leaves the others', async () => {
  const { uuid } = await add({ permissions: { study_view: 1, study_star: 1 } })
  expect(said(await set(uuid, { permissions: { study_star: 0, role_id: 'x' }, permission_study_tag: '1' }))).toBe('OK')
  const held = (await get(uuid)).permissions
  expect([held.study_view, held.study_star, held.study_tag]).toEqual([1, 0, 1])
  const [row] = await query<{ detail: object }>(
    `select detail from audit where object_uuid = '${uuid}' and action = 'EDIT'`,
  )
  expect(row?.detail).toEqual({ study_star: [1, 0], study_tag: [0, 1] })
})

it('takes settings as role/settings does, in a hash or singly, and tells them', async () => {
  const { uuid } = await add({ permissions: {}, settings: { ui_json: '{"users":{"rows":25}}' } })
  expect(await get(uuid)).toMatchObject({ settings: { ui_json: '{"users":{"rows":25}}' } })
  expect(said(await set(uuid, { setting_ui_json: '{}' }))).toBe('OK')
  expect(said(await set(uuid, { setting_ui_json: '{}' }))).toBe('OK')
  expect((await asked('role/settings', { uuid })).settings).toEqual({ ui_json: '{}' })
  const edits = await query(`select detail from audit where object_uuid = '${uuid}' and action = 'EDIT'`)
  expect(edits).toEqual([{ detail: { ui_json: ['{"users":{"rows":25}}', '{}'] } }])
  expect(said(await set(uuid, { settings: { ui_json: '' } }))).toBe('OK')
  expect((await get(uuid)).settings).toEqual({})

  const refused = async (sent: object, sid?: string) => said(await add({ permissions: {}, ...sent }, sid))
  expect(await refused({ setting_enable_inbox_view: 1 })).toEqual(['NO_ROLE_OVERRIDE', 'enable_inbox_view'])
  expect(await refused({ setting_flavour: 1 })).toEqual(['INVALID_SETTING', 'flavour'])
  expect(await refused({ settings: { ui_json: '[1]' } })).toEqual(['INVALID_SETTING_VALUE', 'ui_json'])
  const editor = await addHolder(['role_edit'])
  expect(await refused({ setting_ui_json: '{}' }, editor.sid)).toEqual(['NOT_PERMITTED', undefined])
  expect(await refused({}, editor.sid)).toBe('OK')
})

it('hides fields of studies and carries settings for pages', async () => {
  const fields = { study_field_patientid: 'H', study_field_modality: 'O' }
  const ui = { users: { rows: 50 } }
  const { uuid } = await add({ permissions: { study_view: 1, ...fields, ui_json: ui } })
  expect((await get(uuid)).permissions).toMatchObject({ ...fields, study_field_patient_name: 'F' })
  const person = await organisation.addPerson()
  await people.set(person.userUuid, { role_id: uuid })
  const flags = await asked('session/permissions', { account_id: accountUuid }, person.sid)
  expect(flags).toMatchObject({ study_view: 1, ...fields, ui_json: JSON.stringify(ui), role_id: uuid })
  await set(uuid, { permission_study_field_patientid: 'F', permissions: { ui_json: '' } })
  const after = await asked('session/permissions', { account_id: accountUuid }, person.sid)
  expect([after.study_field_patientid, after.study_field_modality, after.ui_json]).toEqual([undefined, 'O', undefined])
})

it.each([
  [{ name: '  ' }, ['MISSING_FIELDS', ['name']]],
  [{ name: 'x'.repeat(101) }, ['INVALID_FIELD', 'name']],
  [{ description: 'a\u0007b' }, ['INVALID_FIELD', 'description']],
  [{ permissions: '{' }, ['INVALID_JSON', 'permissions']],
  [{ permissions: { fly: 1 } }, ['INVALID_PERMISSION', 'fly']],
  [{ permissions: { study_view: 2 } }, ['INVALID_PERMISSION_VALUE', 'study_view']],
  [{ permissions: { study_field_modality: 'X' } }, ['INVALID_PERMISSION_VALUE', 'study_field_modality']],
  [{ permissions: { ui_json: '[1]' } }, ['INVALID_PERMISSION_VALUE', 'ui_json']],
  [{ for_group: 7 }, ['INVALID_FLAG', 'for_group']],
])('refuses %j, new and in a change', async (wrong, answer) => {
  expect(said(await add(wrong))).toEqual(answer)
  expect(said(await set((await add()).uuid, wrong))).toEqual(answer)
})

it('gives no two roles of an account one name, in any case, but each account its own', async () => {
  const first = (await add({ name: 'Night shift' })).uuid
  expect(said(await add({ name: 'NIGHT SHIFT' }))).toEqual(['ALREADY_EXISTS', first])
  const other = (await add()).uuid
  expect(said(await set(other, { name: 'night shift' }))).toEqual(['ALREADY_EXISTS', first])
  expect(said(await set(first, { name: 'Night Shift' }))).toBe('OK')
  const there = await elsewhere.addPerson({ role: 'Administrator' })
  const sent = { account_id: elsewhere.accountUuid, name: 'Night shift' }
  expect(said(await asked('role/add', sent, there.sid))).toBe('OK')
})

it('lets nobody make, widen or touch a role beyond what they hold', async () => {
  const editor = await addHolder(['role_edit', 'role_view', 'study_view', 'study_report_view_only_own'])
  const refused = ['NOT_PERMITTED', 'permissions']
  const bound = { study_report_view_only_own: 1 }
  expect(said(await add({ permissions: { study_delete: 1, ...bound } }, editor.sid))).toEqual(refused)
  expect(said(await add({ permissions: { study_view: 1 } }, editor.sid))).toEqual(refused)
  const { uuid } = await add({ permissions: { study_view: 1, ...bound } }, editor.sid)
  expect(said(await set(uuid, { permission_study_delete: 1 }, editor.sid))).toEqual(refused)
  expect(said(await set(uuid, { permission_study_report_view_only_own: 0 }, editor.sid))).toEqual(refused)
  const above = ['NOT_PERMITTED', 'ROLE_ABOVE']
  expect(said(await set(roleOf('Viewer'), { permission_study_star: 0 }, editor.sid))).toEqual(above)
  expect(said(await remove(roleOf('Uploader'), editor.sid))).toEqual(above)
  expect(said(await set(uuid, { permission_study_view: 0 }, editor.sid))).toBe('OK')
})

it('lets nobody from whom a field is hidden make or give a role that shows it', async () => {
  const hidden = { permissions: { role_edit: 1, role_view: 1, account_user_edit: 1, study_field_patientid: 'H' } }
  const own = (await add(hidden)).uuid
  const open = (await add({ permissions: { role_view: 1 } })).uuid
  const person = await organisation.addPerson()
  await people.set(person.userUuid, { role_id: own })
  expect(said(await add({ permissions: { role_view: 1 } }, person.sid))).toEqual(['NOT_PERMITTED', 'permissions'])
  expect(said(await set(own, { permission_study_field_patientid: 'O' }, person.sid))).toEqual([
    'NOT_PERMITTED',
    'permissions',
  ])
  const invited = { email: newEmail(), first: 'Eve', role_id: open }
  expect(said(await invite(invited, person.sid))).toEqual(['CAN_NOT_PROMOTE', undefined])
})

it('keeps somebody who may administer the account', async () => {
  const place = await makeOrganisation(services.db)
  const only = await place.addPerson({ role: 'Administrator' })
  const administrator = place.roles.get('Administrator') ?? ''
  for (const flag of ['account_edit', 'account_user_edit', 'role_edit']) {
    const body = await set(administrator, { [`permission_${flag}`]: 0 }, only.sid)
    expect(said(body)).toEqual(['NO_OTHER_ROLE_EDIT', undefined])
  }
  expect(said(await set(administrator, { permission_study_take: 0 }, only.sid))).toBe('OK')
})

it('changes rights in open sessions at once', async () => {
  const { uuid } = await add({ permissions: { account_user_view: 1 } })
  const person = await organisation.addPerson()
  await people.set(person.userUuid, { role_id: uuid })
  expect((await people.list(person.sid)).status).toBe('OK')
  await set(uuid, { permission_account_user_view: 0 })
  expect((await people.list(person.sid)).error_type).toBe('NOT_PERMITTED')
})

it('removes a role that nobody has, and says who has another', async () => {
  const { uuid } = await add()
  expect(said(await remove(uuid))).toBe('OK')
  expect(said(await get(uuid))).toEqual(['NOT_FOUND', undefined])
  const used = (await add()).uuid
  const person = await organisation.addPerson({ groups: [group] })
  await people.set(person.userUuid, { role_id: used })
  expect(said(await remove(used))).toEqual(['IN_USE', ['account']])
  expect(said(await set(used, { for_account: 0 }))).toEqual(['IN_USE', 'for_account'])
  await people.set(person.userUuid, { role_id: roleOf('Viewer'), groups: [{ uuid: group.groupUuid, role_id: used }] })
  expect(said(await remove(used))).toEqual(['IN_USE', ['group']])
  const { users, page } = await asked('role/user/list', { uuid: used })
  expect(page.total).toBe(1)
  expect(users).toEqual([
    {
      user_id: person.userUuid,
      user_name: person.name,
      user_email: person.email,
      disabled: 0,
      place_type: 'group',
      place_id: group.groupUuid,
      place_name: 'Emergency',
    },
  ])
  expect((await get(used)).user_count).toBe(1)
  await asked('group/user/add', { uuid: group.groupUuid, user_id: person.userUuid })
  await asked('group/set', { uuid: group.groupUuid, role_id: used })
  expect(said(await remove(used))).toEqual(['IN_USE', ['default']])
  expect((await get(used)).default_of).toEqual([{ type: 'group', uuid: group.groupUuid, name: 'Emergency' }])
  await asked('group/set', { uuid: group.groupUuid, role_id: '' })
  expect(said(await remove(used))).toBe('OK')
  expect(said(await remove(roleOf('Administrator')))).toEqual(['NOT_PERMITTED', 'SYSTEM_ROLE'])
})

it('tells what administrators and users may do at first', async () => {
  const { permissions: told } = await asked('role/default/permissions', {})
  expect(Object.keys(told)).toEqual([...permissions])
  expect([told.account_edit, told.study_view]).toEqual([
    [1, 0],
    [1, 1],
  ])
})
