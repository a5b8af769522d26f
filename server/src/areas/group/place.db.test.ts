import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startPeople } from '../../../test/people-fixture.ts'

const people = await startPeople()
const { services, call, query, organisation, elsewhere, admin, accountUuid, roleOf, addRole, addHolder } = people
let made = 0

const asked = async (path: string, sent: object, sid = admin.sid) => (await call(path, { sid, ...sent })).body
const said = (body: { error_type?: string; error_subtype?: unknown; status: string }) =>
  body.error_type ? [body.error_type, body.error_subtype] : body.status
const detailOf = async (uuid: string, action: string) => {
  const [row] = await query<{ detail: Record<string, unknown> }>(
    `select detail from audit where object_uuid = '${uuid}' and action = '${action}' order by id desc limit 1`,
  )
  return row?.detail
}

it.each(['group', 'location'] as const)('makes, changes and removes a %s', async (kind) => {
  const sent = {
    account_id: accountUuid,
    name: ` First ${kind} `,
    share_code: `${kind}-1`,
    share_settings: JSON.stringify({ hint: 1 }),
    must_approve: 1,
    role_id: roleOf('Viewer'),
    inbox_config: { group_designation: 'LIBRARY', active_study_filters: ['Inbox'] },
    dicom_ae_title: `AE_${kind.toUpperCase()}`,
    dicom_allowed_peers: ['CT_1@10.0.0.0/8'],
    dicom_query_peers: ['WS_1'],
    dicom_worklist_peers: ['CT_1'],
    hl7_senders: ['RIS@10.0.0.0/8'],
  }
  const added = await asked(`${kind}/add`, sent)
  const { uuid } = added
  const read = await asked(`${kind}/get`, { uuid })
  expect(read).toMatchObject({
    name: `First ${kind}`,
    namespace_id: added.namespace_id,
    share_code: `${kind}-1`,
    share_settings: { hint: 1 },
    must_approve: 1,
    no_share: 0,
    role_id: roleOf('Viewer'),
    role_name: 'Viewer',
    group_designation: 'LIBRARY',
    inbox_config: { group_designation: 'LIBRARY', active_study_filters: ['Inbox'] },
    dicom_ae_title: `AE_${kind.toUpperCase()}`,
    dicom_allowed_peers: ['CT_1@10.0.0.0/8'],
    dicom_query_peers: ['WS_1'],
    dicom_worklist_peers: ['CT_1'],
    hl7_senders: ['RIS@10.0.0.0/8'],
  })
  expect(await detailOf(uuid, 'ADD')).toMatchObject({ name: `First ${kind}`, group_designation: 'LIBRARY' })
  const change = { name: 'Renamed', no_share: 1, role_id: '', dicom_ae_title: '', inbox_config: { own_key: 'kept' } }
  expect(said(await asked(`${kind}/set`, { uuid, ...change }))).toBe('OK')
  expect(await asked(`${kind}/get`, { uuid })).toMatchObject({
    name: 'Renamed',
    no_share: 1,
    role_id: '',
    dicom_ae_title: '',
    inbox_config: { active_study_filters: ['Inbox'], own_key: 'kept' },
  })
  const listed = await asked(`${kind}/list`, { account_id: accountUuid, 'filter.name.equals': 'renamed' })
  expect(listed[`${kind}s`]).toMatchObject([{ uuid, user_count: 0 }])
  const [place] = await query<{ name: string }>(`select name from namespace where uuid = '${added.namespace_id}'`)
  expect(place?.name).toBe('Renamed')
  expect(await detailOf(uuid, 'EDIT')).toMatchObject({ name: [`First ${kind}`, 'Renamed'], no_share: [false, true] })
  expect(said(await asked(`${kind}/set`, { uuid, name: 'Renamed' }))).toBe('OK')
  const [{ edits } = { edits: 0 }] = await query<{ edits: number }>(
    `select count(*)::integer as edits from audit where object_uuid = '${uuid}' and action = 'EDIT'`,
  )
  expect(edits).toBe(1)
  // one kind is not the other's
  const other = kind === 'group' ? 'location' : 'group'
  expect(said(await asked(`${other}/get`, { uuid }))).toEqual(['NOT_FOUND', undefined])
  expect(said(await asked(`${kind}/delete`, { uuid }))).toBe('OK')
  expect(said(await asked(`${kind}/get`, { uuid }))).toEqual(['NOT_FOUND', undefined])
  expect(await detailOf(uuid, 'DELETE')).toMatchObject({ name: 'Renamed' })
  // name, share code and AE title are free again
  expect(said(await asked(`${kind}/add`, sent))).toBe('OK')
})

const newGroup = async (sent: object = {}) =>
  (await asked('group/add', { account_id: accountUuid, name: `Group of test ${++made}`, ...sent })).uuid as string

it('stays closed to all senders when its form is saved without one, and says so', async () => {
  const uuid = await newGroup()
  await query(`insert into setting (scope, scope_uuid, key, value)
    select 'namespace', g.namespace_uuid, 'dicom_allowed_peers', '[]' from app_group g where g.uuid = '${uuid}'`)
  const read = () => asked('group/get', { uuid })
  expect(await read()).toMatchObject({ dicom_allowed_peers: [], is_closed_to_senders: 1 })
  expect(said(await asked('group/set', { uuid, name: 'Closed', dicom_allowed_peers: [] }))).toBe('OK')
  expect(await read()).toMatchObject({ name: 'Closed', is_closed_to_senders: 1 })
  expect(Object.keys((await detailOf(uuid, 'EDIT')) ?? {})).toEqual(['name'])
  const own = ['127.0.0.0/8']
  await asked('group/set', { uuid, dicom_allowed_peers: own })
  expect(await read()).toMatchObject({ dicom_allowed_peers: own, is_closed_to_senders: 0 })
  await asked('group/set', { uuid, dicom_allowed_peers: [] })
  expect(await read()).toMatchObject({ dicom_allowed_peers: [], is_closed_to_senders: 0 })
})

it.each([
  [{ name: '' }, ['MISSING_FIELDS', ['name']]],
  [{ name: ' ' }, ['MISSING_FIELDS', ['name']]],
  [{ name: 'x'.repeat(101) }, ['INVALID_FIELD', 'name']],
  [{ share_description: 'x\u0000' }, ['INVALID_FIELD', 'share_description']],
  [{ share_settings: '[' }, ['INVALID_JSON', 'share_settings']],
  [{ must_approve: 'x' }, ['INVALID_FLAG', 'must_approve']],
  [{ role_id: crypto.randomUUID() }, ['ROLE_NOT_FOUND', undefined]],
  [{ inbox_config: { group_designation: 'CLOUDY' } }, ['INVALID_FIELD', 'inbox_config']],
  [{ inbox_config: { active_study_filters: ['Nominations'] } }, ['INVALID_FIELD', 'inbox_config']],
  [{ inbox_config: { pacs_promote_groups: [crypto.randomUUID()] } }, ['INVALID_FIELD', 'inbox_config']],
  [{ inbox_config: { pacs_form_customfields: ['x'] } }, ['INVALID_FIELD', 'inbox_config']],
  [{ dicom_ae_title: 'SEVENTEEN_LETTERS' }, ['INVALID_FIELD', 'dicom_ae_title']],
  [{ dicom_allowed_peers: ['CT_1@10.0.0.0/99'] }, ['INVALID_FIELD', 'dicom_allowed_peers']],
  [{ dicom_query_peers: ['*@*'] }, ['INVALID_FIELD', 'dicom_query_peers']],
  [{ search_threshold: 1 }, ['INVALID_FIELD', 'search_threshold']],
])('refuses %j, new and in a change, and makes nothing', async (wrong, answer) => {
  const uuid = await newGroup()
  const before = await query('select count(*) from app_group')
  expect(said(await asked('group/add', { account_id: accountUuid, name: `Wrong ${++made}`, ...wrong }))).toEqual(answer)
  expect(said(await asked('group/set', { uuid, ...wrong }))).toEqual(answer)
  expect(await query('select count(*) from app_group')).toEqual(before)
})

it('takes no name, share code or AE title twice', async () => {
  const one = { name: `Taken ${++made}`, share_code: `TAKEN${made}`, dicom_ae_title: `TAKEN${made}` }
  await newGroup(one)
  const uuid = await newGroup()
  const body = (sent: object) => asked('group/set', { uuid, ...sent }).then(said)
  expect(await body({ name: one.name.toUpperCase() })).toEqual(['DUP_NAMESPACE_NAME', undefined])
  expect(await body({ share_code: one.share_code.toLowerCase() })).toEqual(['DUP_SHARE_CODE', undefined])
  expect(await body({ dicom_ae_title: one.dicom_ae_title })).toEqual(['ALREADY_EXISTS', 'dicom_ae_title'])
  const location = { account_id: accountUuid, name: one.name }
  expect(said(await asked('location/add', location))).toEqual(['DUP_NAMESPACE_NAME', undefined])
})

it('makes whatever comes into a gatekeeper group wait for approval, and promotes into such groups alone', async () => {
  const gate = await newGroup({ inbox_config: { group_designation: 'GATEKEEPER' } })
  expect((await asked('group/get', { uuid: gate })).must_approve).toBe(1)
  expect(said(await asked('group/set', { uuid: gate, must_approve: 0 }))).toEqual(['INVALID_FIELD', 'must_approve'])
  const cloud = await newGroup({ inbox_config: { pacs_promote_groups: [gate] } })
  expect((await asked('group/get', { uuid: cloud })).inbox_config.pacs_promote_groups).toEqual([gate])
  const wrong = { uuid: gate, inbox_config: { pacs_promote_groups: [cloud] } }
  expect(said(await asked('group/set', wrong))).toEqual(['INVALID_FIELD', 'inbox_config'])
})

it('keeps a group that holds studies, and its designation', async () => {
  const { groupUuid, namespaceUuid } = await organisation.addGroup()
  const study = await makeStudy(services.db, { namespaceUuid, accountUuid })
  const set = { uuid: groupUuid, inbox_config: { group_designation: 'LIBRARY' } }
  expect(said(await asked('group/set', set))).toEqual(['NOT_EMPTY', 'group_designation'])
  expect(said(await asked('group/delete', { uuid: groupUuid }))).toEqual(['NOT_EMPTY', undefined])
  await query(`update study set deleted_at = now() where uuid = '${study.uuid}'`)
  expect(said(await asked('group/delete', { uuid: groupUuid }))).toBe('OK')
  // an image that was let in before comes to nobody
  await expect(makeStudy(services.db, { namespaceUuid, accountUuid })).rejects.toThrow('deleted meanwhile')
})

it('takes in no exam that is shared into it while it is deleted, and says so', async () => {
  const [from, to] = [await organisation.addGroup(), await organisation.addGroup()]
  const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [from, to] })
  const { uuid } = await makeStudy(services.db, { namespaceUuid: from.namespaceUuid, accountUuid })
  await query(`update namespace set gone_at = now() where uuid = '${to.namespaceUuid}'`)
  const { body } = await call('study/share', { sid, uuid, group_id: to.groupUuid })
  expect(body).toMatchObject({ status: 'ERROR', error_type: 'NOT_FOUND' })
})

it.each(['group', 'location'])(
  '[API-37] says of what in a %s a member is mailed, also where the role stays',
  async (kind) => {
    const { accountUuid } = organisation
    const { uuid, namespace_id } = await asked(`${kind}/add`, { account_id: accountUuid, name: `Mailed ${kind}` })
    const person = await organisation.addPerson({ role: 'Staff' })
    const member = { uuid, user_id: person.userUuid }
    const told = async () => (await asked(`${kind}/user/list`, { uuid })).users
    expect(said(await asked(`${kind}/user/add`, { ...member, event_share: 1, event_approve: 0 }))).toBe('OK')
    expect(await told()).toMatchObject([{ event_share: 1, event_harvest: 0, event_approve: 0 }])
    const { body } = await call('user/event', { sid: person.sid, namespace_id })
    expect(body).toMatchObject({ event_share: 1, event_harvest: 0, event_approve: 0 })
    expect(said(await asked(`${kind}/user/add`, { ...member, event_share: 0, event_harvest: 1 }))).toBe('OK')
    expect(await told()).toMatchObject([{ event_share: 0, event_harvest: 1, event_approve: 0 }])
    // sent again, nothing is on record again
    await asked(`${kind}/user/add`, { ...member, event_harvest: 1 })
    const rows = await query(`select action, detail - 'user_id' as detail from audit
    where object_uuid = '${uuid}' and type like '%_user' order by id`)
    expect(rows).toEqual([
      { action: 'ADD', detail: { role_id: [null, null], event_share: [null, 1], event_approve: [null, 0] } },
      { action: 'EDIT', detail: { event_share: [1, 0], event_harvest: [null, 1] } },
    ])
    expect(said(await asked(`${kind}/user/add`, { ...member, event_share: 2 }))).toEqual([
      'INVALID_FLAG',
      'event_share',
    ])
    // a role of the place stays where flags alone are sent, and goes where neither is
    expect(said(await asked(`${kind}/user/add`, { ...member, role_id: roleOf('Viewer') }))).toBe('OK')
    await asked(`${kind}/user/add`, { ...member, event_share: 1 })
    expect(await told()).toMatchObject([{ event_share: 1, role_id: roleOf('Viewer') }])
    await asked(`${kind}/user/add`, member)
    expect(await told()).toMatchObject([{ event_share: 1, role_id: '' }])
  },
)

it('[API-37] puts people into a group, changes their role there and takes them out, at once for open sessions', async () => {
  const uuid = await newGroup({ role_id: roleOf('Viewer') })
  const person = await organisation.addPerson({ role: 'Staff' })
  const places = async () => {
    const { namespaces } = (await call('user/namespace/list', { sid: person.sid })).body
    return namespaces.find((one: { type_uuid: string }) => one.type_uuid === uuid)
  }
  expect(await places()).toBeUndefined()
  const member = { uuid, user_id: person.userUuid }
  expect(said(await asked('group/user/add', member))).toBe('OK')
  expect(await detailOf(uuid, 'ADD')).toMatchObject({ user_id: person.userUuid })
  expect((await places()).permissions).toMatchObject({ study_view: 1, study_delete: 0 })
  expect((await asked('group/user/list', { uuid })).users).toEqual([
    {
      user_id: person.userUuid,
      user_name: person.name,
      user_email: person.email,
      disabled: 0,
      role_id: '',
      role_name: '',
      held_role_id: roleOf('Viewer'),
      held_role_name: 'Viewer',
      event_share: 0,
      event_harvest: 0,
      event_approve: 0,
    },
  ])
  expect(said(await asked('group/user/add', { ...member, role_id: roleOf('Staff') }))).toBe('OK')
  expect((await places()).permissions.study_delete).toBe(1)
  const named = { uuid, 'filter.user_email.like': `${person.email}%`, 'filter.role_id.equals': roleOf('Staff') }
  expect((await asked('group/user/list', named)).users).toMatchObject([{ role_name: 'Staff' }])
  expect(said(await asked('group/user/add', member))).toBe('OK')
  await asked('group/set', { uuid, role_id: '' })
  expect((await asked('group/user/list', { uuid })).users).toMatchObject([{ held_role_name: 'Staff' }])
  expect(said(await asked('group/user/delete', member))).toBe('OK')
  expect(await places()).toBeUndefined()
  expect(said(await asked('group/user/delete', member))).toEqual(['NOT_FOUND', 'user_id'])
})

it('puts people into a location, who then find its studies', async () => {
  const location = await asked('location/add', { account_id: accountUuid, name: 'Ward 7' })
  const person = await organisation.addPerson()
  await asked('location/user/add', { uuid: location.uuid, user_id: person.userUuid })
  const study = await makeStudy(services.db, { namespaceUuid: location.namespace_id, accountUuid })
  expect((await asked('study/get', { uuid: study.uuid }, person.sid)).status).toBe('OK')
  expect((await people.get(person.userUuid)).locations).toMatchObject([{ name: 'Ward 7', role_id: '' }])
  expect((await people.get(person.userUuid)).groups).toEqual([])
  expect((await asked('location/list', { account_id: accountUuid }, person.sid)).locations).toHaveLength(1)
  expect((await asked('group/list', { account_id: accountUuid }, person.sid)).groups).toEqual([])
  await asked('location/user/delete', { uuid: location.uuid, user_id: person.userUuid })
  expect((await asked('study/get', { uuid: study.uuid }, person.sid)).error_type).toBe('NOT_FOUND')
})

it('lets nobody give a role beyond what they hold, by a group, its default or its members', async () => {
  const manager = await addHolder(['group_edit', 'group_view', 'study_view'])
  const [narrow, wide] = [await addRole(['study_view']), await addRole(['study_view', 'study_delete'])]
  const uuid = await newGroup()
  const refused = ['CAN_NOT_PROMOTE', undefined]
  const own = { uuid, user_id: manager.userUuid }
  expect(said(await asked('group/user/add', { ...own, role_id: wide }, manager.sid))).toEqual(refused)
  expect(said(await asked('group/set', { uuid, role_id: wide }, manager.sid))).toEqual(refused)
  const added = { account_id: accountUuid, name: `Mine ${++made}`, role_id: wide }
  expect(said(await asked('group/add', added, manager.sid))).toEqual(refused)
  await asked('group/set', { uuid, role_id: wide })
  expect(said(await asked('group/user/add', own, manager.sid))).toEqual(refused)
  expect(said(await asked('group/user/add', { ...own, role_id: narrow }, manager.sid))).toBe('OK')
  const above = await organisation.addPerson()
  await asked('group/user/add', { uuid, user_id: above.userUuid })
  for (const path of ['group/user/add', 'group/user/delete']) {
    const sent = { uuid, user_id: above.userUuid, ...(path === 'group/user/add' ? { role_id: narrow } : {}) }
    expect(said(await asked(path, sent, manager.sid))).toEqual(['NOT_PERMITTED', 'ROLE_ABOVE'])
  }
  const inAccount = await addRole([], { forGroup: false })
  const unfit = { uuid, user_id: above.userUuid, role_id: inAccount }
  expect(said(await asked('group/user/add', unfit))).toEqual(['ROLE_NAMESPACE_MISMATCH', 'INCOMPATIBLE_ROLE'])
})

it('changes the default role of a place for nobody who may do more there by it, and for the caller alone', async () => {
  const manager = await addHolder(['group_edit', 'group_view', 'location_edit', 'study_view'])
  const [narrow, wide] = [await addRole(['study_view']), await addRole(['study_view', 'study_delete'])]
  for (const kind of ['group', 'location']) {
    const place = { account_id: accountUuid, name: `By default ${++made}`, role_id: wide }
    const { uuid } = await asked(`${kind}/add`, place)
    const set = (role_id: string) => asked(`${kind}/set`, { uuid, role_id }, manager.sid)
    const above = ['NOT_PERMITTED', 'ROLE_ABOVE']
    // nobody holds it yet; the caller's own is the caller's to lessen
    await asked(`${kind}/user/add`, { uuid, user_id: manager.userUuid })
    expect(said(await set(narrow))).toBe('OK')
    await asked(`${kind}/set`, { uuid, role_id: wide })
    const colleague = await organisation.addPerson({ role: 'Viewer' })
    await asked(`${kind}/user/add`, { uuid, user_id: colleague.userUuid })
    for (const role of [narrow, '']) expect([kind, said(await set(role))]).toEqual([kind, above])
    expect(said(await set(wide))).toBe('OK')
    // a role of the colleague's own in the place does not go by the default
    await asked(`${kind}/user/add`, { uuid, user_id: colleague.userUuid, role_id: wide })
    expect(said(await set(narrow))).toBe('OK')
    // without a default the role in the account holds
    await asked(`${kind}/set`, { uuid, role_id: '' })
    const head = await organisation.addPerson({ role: 'Administrator' })
    await asked(`${kind}/user/add`, { uuid, user_id: head.userUuid })
    expect(said(await set(narrow))).toEqual(above)
  }
})

it('knows no people, roles or fields of other accounts', async () => {
  const uuid = await newGroup()
  const stranger = await elsewhere.addPerson()
  expect(said(await asked('group/user/add', { uuid, user_id: stranger.userUuid }))).toEqual([
    'USER_NOT_FOUND',
    undefined,
  ])
  const sent = { uuid, user_id: admin.userUuid, role_id: elsewhere.roles.get('Viewer') }
  expect(said(await asked('group/user/add', sent))).toEqual(['ROLE_NOT_FOUND', undefined])
})

it('[PERM-03] shows groups to who may view or edit them, and changes them for who may edit', async () => {
  const uuid = await newGroup()
  for (const [held, sees, edits] of [
    ['group_view', 'OK', 'ERROR'],
    ['group_edit', 'ERROR', 'ERROR'],
    ['account_user_view', 'ERROR', 'ERROR'],
  ] as const) {
    const { sid } = await addHolder([held])
    expect([held, (await asked('group/user/list', { uuid }, sid)).status]).toEqual([held, sees])
    expect([held, (await asked('group/set', { uuid }, sid)).status]).toEqual([held, edits])
  }
  const { sid } = await addHolder(['group_view', 'group_edit'])
  expect((await asked('group/set', { uuid, name: `Set ${++made}` }, sid)).status).toBe('OK')
})

it('[OPEN-01] lets a foreign client build an organisation from nothing and take it down', async () => {
  const place = await makeOrganisation(services.db)
  const { sid } = await place.addPerson({ role: 'Administrator' })
  const ask = (path: string, sent: object) => asked(path, sent, sid)
  const account_id = place.accountUuid
  const role = (await ask('role/add', { account_id, name: 'Reader', permissions: { study_view: 1 } })).uuid
  const group = (await ask('group/add', { account_id, name: 'Inbox', role_id: role })).uuid
  const location = (await ask('location/add', { account_id, name: 'Ward' })).uuid
  const invited = { uuid: account_id, email: 'first@built.example', first: 'Ada', role_id: role }
  const user = (await ask('account/user/add', invited)).uuid
  expect(said(await ask('group/user/add', { uuid: group, user_id: user }))).toBe('OK')
  expect(said(await ask('location/user/add', { uuid: location, user_id: user, role_id: role }))).toBe('OK')
  expect(said(await ask('role/delete', { uuid: role }))).toEqual(['IN_USE', ['account', 'location', 'default']])
  for (const [path, sent] of [
    ['location/user/delete', { uuid: location, user_id: user }],
    ['location/delete', { uuid: location }],
    ['account/user/delete', { uuid: account_id, user_id: user }],
    ['group/delete', { uuid: group }],
    ['role/delete', { uuid: role }],
  ] as const) {
    expect([path, said(await ask(path, sent))]).toEqual([path, 'OK'])
  }
})
