import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation
const group = await organisation.addGroup()
const muller = { 'filter.patient_name.like': '%muller%' }

const addSearch = async (sid: string, more: object = {}): Promise<string> =>
  (await call('filter/add', { sid, name: 'Mine', type: 'Study', configuration: muller, ...more })).body.uuid
const namesOf = async (sid: string, more: object = {}) =>
  (await call('filter/list', { sid, type: 'Study', account_id: accountUuid, ...more })).body.filters.map(
    (one: { name: string }) => one.name,
  )
const listed = async (sid: string, sent: object) =>
  (await call('study/list', { sid, sort_by: 'patient_name-asc', ...sent })).body.studies.map(
    (one: { patient_name: string }) => one.patient_name,
  )

it('[SEARCH-08] saves, reads, renames and deletes a search, the caller’s own alone', async () => {
  const [person, other] = [await organisation.addPerson(), await organisation.addPerson()]
  const { sid } = person
  const uuid = await addSearch(sid, { account_id: accountUuid })
  expect((await call('filter/get', { sid, uuid })).body).toEqual({
    status: 'OK',
    uuid,
    name: 'Mine',
    type: 'Study',
    configuration: muller,
    owner: person.userUuid,
    owner_name: person.name,
    account_id: accountUuid,
    namespace_id: null,
    is_mine: 1,
    may_edit: 1,
  })
  expect((await call('filter/set', { sid, uuid, name: 'All Müllers' })).body).toEqual({ status: 'OK', uuid })
  expect(await namesOf(sid)).toEqual(['All Müllers'])
  expect(await namesOf(other.sid)).toEqual([])
  for (const path of ['filter/get', 'filter/set', 'filter/delete']) {
    expect((await call(path, { sid: other.sid, uuid })).body.error_type).toBe('NOT_FOUND')
  }
  expect((await call('filter/delete', { sid, uuid })).body).toEqual({ status: 'OK' })
  expect(await namesOf(sid)).toEqual([])
})

it('[SEARCH-08] keeps a search for a group, by who may share searches', async () => {
  const admin = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const member = await organisation.addPerson({ groups: [group] })
  const outsider = await organisation.addPerson()
  const namespace_id = group.namespaceUuid
  const uuid = await addSearch(admin.sid, { name: 'Ours', namespace_id })
  expect(await namesOf(member.sid, { 'filter.namespace_id.equals': namespace_id })).toEqual(['Ours'])
  expect(await namesOf(outsider.sid)).toEqual([])
  expect((await call('filter/get', { sid: member.sid, uuid })).body).toMatchObject({ is_mine: 0, may_edit: 0 })
  expect((await call('filter/set', { sid: member.sid, uuid, name: 'x' })).body.error_type).toBe('NOT_PERMITTED')
  expect((await call('filter/delete', { sid: member.sid, uuid })).body.error_type).toBe('NOT_PERMITTED')
  const refused = { name: 'x', type: 'Study', configuration: muller, namespace_id }
  expect((await call('filter/add', { sid: member.sid, ...refused })).body.error_type).toBe('NOT_PERMITTED')
  expect((await call('filter/add', { sid: outsider.sid, ...refused })).body.error_type).toBe('NOT_FOUND')
  await call('filter/set', { sid: admin.sid, uuid, namespace_id: '' })
  expect(await namesOf(member.sid)).toEqual([])
})

it('[SEARCH-08] keeps a search for the account that is named, which is the one of its place', async () => {
  const admin = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const { sid } = admin
  const elsewhere = await makeOrganisation(services.db)
  const uuid = await addSearch(sid)
  const accountOf = async () => (await call('filter/get', { sid, uuid })).body.account_id
  expect(await accountOf()).toBeNull()
  await call('filter/set', { sid, uuid, account_id: accountUuid })
  expect(await accountOf()).toBe(accountUuid)
  const foreign = await call('filter/set', { sid, uuid, account_id: elsewhere.accountUuid })
  expect(foreign.body).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'account_id' })
  const place = { sid, namespace_id: group.namespaceUuid, account_id: elsewhere.accountUuid }
  const search = { name: 'x', type: 'Study', configuration: muller }
  for (const { body } of [
    await call('filter/set', { uuid, ...place }),
    await call('filter/add', { ...search, ...place }),
  ]) {
    expect(body).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'account_id' })
  }
  expect(await accountOf()).toBe(accountUuid)
})

it('[SEARCH-08][LIST-01] narrows lists and counts by a saved search, by one of several, and with own filters', async () => {
  const own = await organisation.addGroup()
  const { sid } = await organisation.addPerson({ groups: [own] })
  for (const patient_name of ['ADAM^EVA', 'MULLER^ANNA', 'MULLER^BERT']) {
    await makeStudy(services.db, { ...own, accountUuid }, { patient_name })
  }
  const mullers = await addSearch(sid)
  const adam = await addSearch(sid, { configuration: { 'patient_name.like': 'adam%' } })
  const either = await addSearch(sid, { configuration: JSON.stringify([mullers, adam]) })
  expect(await listed(sid, { filter_id: mullers })).toEqual(['MULLER^ANNA', 'MULLER^BERT'])
  expect((await call('study/count', { sid, filter_id: mullers })).body.count).toBe(2)
  expect(await listed(sid, { filter_id: mullers, 'filter.patient_name.like': '%bert%' })).toEqual(['MULLER^BERT'])
  expect(await listed(sid, { filter_id: either })).toEqual(['ADAM^EVA', 'MULLER^ANNA', 'MULLER^BERT'])
  expect((await call('study/count', { sid, filter_id: either })).body.count).toBe(3)
})

it('[SEARCH-08][OPEN-01] finds with the rights of the reader, never of the owner', async () => {
  const [shared, closed] = [await organisation.addGroup(), await organisation.addGroup()]
  const admin = await organisation.addPerson({ role: 'Administrator', groups: [shared, closed] })
  const reader = await organisation.addPerson({ groups: [shared] })
  await makeStudy(services.db, { ...shared, accountUuid }, { patient_name: 'OPEN^A' })
  await makeStudy(services.db, { ...closed, accountUuid }, { patient_name: 'CLOSED^A' })
  const configuration = { 'phi_namespace.in': [shared.namespaceUuid, closed.namespaceUuid] }
  const filter_id = await addSearch(admin.sid, { configuration, namespace_id: shared.namespaceUuid })
  expect(await listed(admin.sid, { filter_id })).toEqual(['CLOSED^A', 'OPEN^A'])
  expect(await listed(reader.sid, { filter_id })).toEqual(['OPEN^A'])
})

it('[SEARCH-08] says FILTER_NOT_FOUND of a search that is not there or not for the reader, also inside another', async () => {
  const [one, other] = [await organisation.addPerson(), await organisation.addPerson()]
  const foreign = await addSearch(other.sid)
  const within = await addSearch(one.sid, { configuration: [foreign] })
  const unknown = randomUUID()
  for (const [filter_id, named] of [
    [foreign, foreign],
    [unknown, unknown],
    [within, foreign],
    ['no uuid', 'no uuid'],
  ]) {
    for (const path of ['study/list', 'study/count']) {
      expect((await call(path, { sid: one.sid, filter_id })).body).toMatchObject({
        error_type: 'FILTER_NOT_FOUND',
        error_subtype: named,
      })
    }
  }
})

it('ends a search that names itself', async () => {
  const { sid } = await organisation.addPerson()
  const uuid = await addSearch(sid)
  await call('filter/set', { sid, uuid, configuration: [uuid] })
  expect((await call('study/list', { sid, filter_id: uuid })).body.error_type).toBe('FILTER_NOT_FOUND')
})

it('[SEARCH-08] refuses no session, missing fields, and configurations that no list understands', async () => {
  const { sid } = await organisation.addPerson()
  for (const path of ['filter/list', 'filter/add', 'filter/get', 'filter/set', 'filter/delete']) {
    expect((await call(path, { type: 'Study' })).status).toBe(401)
  }
  expect((await call('filter/add', { sid, type: 'Study' })).body).toMatchObject({ error_type: 'MISSING_FIELDS' })
  const add = { sid, name: 'x', type: 'Study' }
  for (const configuration of [{ 'elephant.equals': 1 }, { 'patient_name.near': 'x' }, [], ['x'], 7, 'null']) {
    expect((await call('filter/add', { ...add, configuration })).body.error_type).toBe('INVALID_CONFIG')
  }
  expect((await call('filter/add', { ...add, configuration: '{' })).body.error_type).toBe('INVALID_JSON')
  expect((await call('filter/add', { ...add, type: 'Elephant', configuration: muller })).body.error_type).toBe(
    'INVALID_TYPE',
  )
  const name = 'x'.repeat(201)
  expect((await call('filter/add', { ...add, name, configuration: muller })).body.error_type).toBe('INVALID_FIELD')
})

it('[API-36] works in a bundle', async () => {
  const { sid } = await organisation.addPerson()
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/filter/add', sid, name: 'Mine', type: 'Study', configuration: muller },
        { URL: '/filter/get', sid, uuid: '{{uuid}}' },
        { URL: '/study/count', sid, filter_id: '{{uuid}}' },
      ],
    },
  )
  expect(body).toMatchObject([{ status: 'OK' }, { name: 'Mine' }, { count: 0 }])
})

it('opens a search whose link was given away to members of the account only, and lists it to nobody else', async () => {
  const [owner, reader] = [await organisation.addPerson(), await organisation.addPerson({ groups: [group] })]
  const stranger = await (await makeOrganisation(services.db)).addPerson()
  const configuration = { ...muller, web: { patientName: 'muller' } }
  const uuid = await addSearch(owner.sid, { name: 'Copied link', type: 'Link', account_id: accountUuid, configuration })
  expect((await call('filter/get', { sid: reader.sid, uuid })).body).toMatchObject({ configuration, may_edit: 0 })
  expect((await call('study/list', { sid: reader.sid, filter_id: uuid })).status).toBe(200)
  expect((await call('filter/get', { sid: stranger.sid, uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await call('study/list', { sid: stranger.sid, filter_id: uuid })).body.error_type).toBe('FILTER_NOT_FOUND')
  expect(await namesOf(reader.sid, { type: 'Link' })).toEqual([])
  expect(await namesOf(owner.sid, { type: 'Link' })).toEqual(['Copied link'])
})

it('[SEARCH-08] shares a search with several places and people, lists them and stops again', async () => {
  const [one, two] = [await organisation.addGroup(), await organisation.addGroup()]
  const owner = await organisation.addPerson({ role: 'Administrator', groups: [one, two] })
  const [inOne, inTwo] = [
    await organisation.addPerson({ groups: [one] }),
    await organisation.addPerson({ groups: [two] }),
  ]
  const viewer = await organisation.addPerson({ role: 'Viewer' })
  const outsider = await organisation.addPerson()
  const { sid } = owner
  const uuid = await addSearch(sid, { name: 'Shared' })
  const share = async (target: object, path = 'filter/share') => (await call(path, { sid, uuid, ...target })).body
  const sees = async (person: { sid: string }) => (await namesOf(person.sid)).includes('Shared')
  for (const target of [{ group_id: one.groupUuid }, { group_id: two.groupUuid }, { group_id: two.groupUuid }])
    expect(await share(target)).toEqual({ status: 'OK' })
  expect([await sees(inOne), await sees(inTwo), await sees(viewer), await sees(outsider)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  const role = organisation.roles.get('Viewer') ?? ''
  await share({ role_id: role })
  await share({ user_id: outsider.userUuid })
  expect([await sees(viewer), await sees(outsider)]).toEqual([true, true])
  expect((await call('filter/share/list', { sid, uuid })).body).toEqual({
    status: 'OK',
    account_id: [],
    location_id: [],
    group_id: [one.groupUuid, two.groupUuid],
    user_id: [outsider.userUuid],
    role_id: [role],
  })
  expect(await share({ group_id: one.groupUuid }, 'filter/share/stop')).toEqual({ status: 'OK' })
  expect(await sees(inOne)).toBe(false)
  expect((await share({ group_id: one.groupUuid }, 'filter/share/stop')).error_type).toBe('NOT_FOUND')
  await share({ account_id: accountUuid })
  expect(await sees(inOne)).toBe(true)
  await call('filter/delete', { sid, uuid })
  expect(await sees(inTwo)).toBe(false)
})

it('[SEARCH-08] shares only one’s own searches, with one target at a time, where the role permits it', async () => {
  const place = await organisation.addGroup()
  const owner = await organisation.addPerson({ role: 'Administrator', groups: [place] })
  const member = await organisation.addPerson({ groups: [place] })
  const stranger = await (await makeOrganisation(services.db)).addPerson({ role: 'Administrator' })
  const uuid = await addSearch(owner.sid, { name: 'Theirs' })
  const own = await addSearch(member.sid, { name: 'Own' })
  const errorOf = async (sid: string, sent: object, path = 'filter/share') =>
    (await call(path, { sid, uuid, ...sent })).body.error_type
  const group_id = place.groupUuid
  expect(await errorOf(owner.sid, {})).toBe('INVALID_PARAMETERS')
  expect(await errorOf(owner.sid, { group_id, account_id: accountUuid })).toBe('INVALID_PARAMETERS')
  expect(await errorOf(owner.sid, { group_id: randomUUID() })).toBe('NOT_FOUND')
  expect(await errorOf(owner.sid, { user_id: stranger.userUuid })).toBe('NOT_FOUND')
  expect(await errorOf(member.sid, { group_id })).toBe('NOT_FOUND')
  expect(await errorOf(member.sid, { uuid: own, group_id })).toBe('NOT_PERMITTED')
  await call('filter/share', { sid: owner.sid, uuid, group_id })
  for (const path of ['filter/share', 'filter/share/stop', 'filter/share/list'])
    expect(await errorOf(member.sid, { group_id }, path)).toBe('NOT_PERMITTED')
  expect(await errorOf(stranger.sid, {}, 'filter/share/list')).toBe('NOT_FOUND')
})
