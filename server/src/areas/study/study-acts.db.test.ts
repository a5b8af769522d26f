import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeOrganisation, makeStudy, type Person } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const { accountUuid } = organisation

async function makePlace(role = 'Staff') {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role, groups: [group] })
  const study = await makeStudy(services.db, { ...group, accountUuid })
  return { group, person, sid: person.sid, study, uuid: study.uuid }
}
const listed = async (sid: string, filter: object = {}) =>
  (await call('study/list', { sid, ...filter })).body.studies.map((one: { uuid: string }) => one.uuid)
const historyOf = async (sid: string, uuid: string) =>
  (await call('audit/object', { sid, uuid })).body.events.map((one: { action: string }) => one.action)

it('stars a study for the caller alone, and finds it by the star', async () => {
  const { group, sid, uuid } = await makePlace()
  const other = await organisation.addPerson({ groups: [group] })
  expect((await call('study/star', { sid, uuid, star: 1 }, { method: 'GET' })).body).toEqual({ status: 'OK' })
  await call('study/star', { sid, uuid, star: 1 })
  expect((await call('study/get', { sid, uuid })).body.star).toBe(1)
  expect((await call('study/get', { sid: other.sid, uuid })).body.star).toBe(0)
  expect(await listed(sid, { 'filter.star.equals': 1 })).toEqual([uuid])
  await call('study/star', { sid, uuid, star: 0 })
  expect(await listed(sid, { 'filter.star.equals': 1 })).toEqual([])
  expect((await call('study/star', { sid, uuid, star: 'yes' })).body.error_type).toBe('INVALID_FLAG')
})

it('[API-18][DELETE-01] deletes by GET and triplet, keeps the study for who may delete, and restores it', async () => {
  const { group, person, sid, study, uuid } = await makePlace()
  const reader = await organisation.addPerson({ groups: [group] })
  const triplet = {
    study_uid: study.study_uid,
    storage_namespace: group.namespaceUuid,
    phi_namespace: group.namespaceUuid,
  }
  expect((await call('study/delete', { sid, ...triplet }, { method: 'GET' })).body).toEqual({ status: 'OK' })
  expect(await listed(sid)).toEqual([])
  expect(await listed(sid, { 'filter.is_deleted.equals': 1 })).toEqual([uuid])
  expect((await call('study/get', { sid, uuid })).body).toMatchObject({ is_deleted: 1, deleted_by_name: person.name })
  expect(await listed(reader.sid, { 'filter.is_deleted.equals': 1 })).toEqual([])
  expect((await call('study/get', { sid: reader.sid, uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await call('study/delete', { sid, uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await call('study/revive', { sid: reader.sid, uuid })).body.error_type).toBe('NOT_FOUND')
  expect((await call('study/revive', { sid, uuid })).body).toEqual({ status: 'OK' })
  expect(await listed(reader.sid)).toEqual([uuid])
  expect(await historyOf(sid, uuid)).toEqual(['REVIVE', 'DELETE'])
})

it('[DELETE-02][API-18][API-36] answers each study of a bundle for itself', async () => {
  const { group, sid, uuid } = await makePlace()
  const elsewhere = await makePlace()
  const clinic = await organisation.addGroup()
  const readOnly = await makeStudy(services.db, { ...clinic, accountUuid })
  await query(`insert into group_user (group_uuid, user_uuid, role_uuid)
    select '${clinic.groupUuid}', user_uuid, '${organisation.roles.get('Viewer')}' from group_user
    where group_uuid = '${group.groupUuid}'`)
  const items = [{ uuid }, { uuid: elsewhere.uuid }, { uuid: readOnly.uuid }, {}]
  const { body } = await call('bundle', {}, { body: items.map((one) => ({ URL: '/study/delete', sid, ...one })) })
  expect(body).toMatchObject([
    { status: 'OK', HTTP_STATUS_CODE: '200' },
    { error_type: 'NOT_FOUND', HTTP_STATUS_CODE: '412' },
    { error_type: 'NOT_PERMITTED', HTTP_STATUS_CODE: '412' },
    { error_type: 'MISSING_FIELDS', HTTP_STATUS_CODE: '412' },
  ])
  expect(await listed(elsewhere.sid)).toEqual([elsewhere.uuid])
})

it('does not delete what a hold keeps, nor restore what was deleted more than 30 days ago', async () => {
  const { sid, uuid } = await makePlace()
  await query(`update study set hold = true where uuid = '${uuid}'`)
  expect((await call('study/delete', { sid, uuid })).body).toMatchObject({
    error_type: 'NOT_PERMITTED',
    error_subtype: 'hold',
  })
  expect((await call('study/revive', { sid, uuid })).body.error_type).toBe('CAN_NOT_REVIVE')
  await query(`update study set deleted_at = now() - interval '31 days' where uuid = '${uuid}'`)
  expect((await call('study/revive', { sid, uuid })).body.error_type).toBe('CAN_NOT_REVIVE')
})

it('does not delete a frozen study, nor one whose images another record keeps', async () => {
  const { sid, uuid } = await makePlace()
  await query(`update study set is_frozen = true where uuid = '${uuid}'`)
  const refused = { error_type: 'NOT_PERMITTED', error_subtype: 'frozen' }
  expect((await call('study/delete', { sid, uuid })).body).toMatchObject(refused)
  const { body } = await call('bundle', {}, { body: [{ URL: '/study/delete', sid, uuid }] })
  expect(body).toMatchObject([{ ...refused, HTTP_STATUS_CODE: '412' }])
  expect(await listed(sid)).toEqual([uuid])
  await query(`update study set is_frozen = false where uuid = '${uuid}'`)

  const { group, sid: owner, uuid: original } = await makePlace()
  const copy = await makePlace()
  await query(`update study set hold = true, study_uid = (select study_uid from study where uuid = '${original}')
    where uuid = '${copy.uuid}'`)
  await query(`insert into study_source (phi_namespace, study_uuid, storage_namespace)
    values ('${copy.group.namespaceUuid}', '${copy.uuid}', '${group.namespaceUuid}')`)
  expect((await call('study/delete', { sid: owner, uuid: original })).body.error_subtype).toBe('hold')
})

it('does not delete a study of a patient whose studies are held', async () => {
  const { sid, uuid } = await makePlace()
  await query(`update study set patientid = 'M1', issuer = 'HOME' where uuid = '${uuid}'`)
  await query(`insert into patient_hold (account_uuid, issuer, patientid, reason)
    values ('${accountUuid}', 'HOME', 'M1', 'a case')`)
  expect((await call('study/delete', { sid, uuid })).body.error_subtype).toBe('hold')
  await query(`delete from patient_hold`)
  expect((await call('study/delete', { sid, uuid })).body.status).toBe('OK')
})

it('changes nothing of a deleted study', async () => {
  const { sid, uuid } = await makePlace()
  await call('study/delete', { sid, uuid })
  const changes = {
    'study/set': { study_description: 'x' },
    'study/lock': {},
    'study/star': { star: 1 },
    'study/audit': { action: 'STUDY_VIEW' },
  }
  for (const [path, sent] of Object.entries(changes)) {
    expect((await call(path, { sid, uuid, ...sent })).body.error_type).toBe('NOT_FOUND')
  }
})

it('tells those who watch that a study went and came back', async () => {
  const { group, sid, uuid } = await makePlace()
  const count = async () =>
    (await query(`select from event where uuid = '${uuid}' and namespace_uuid = '${group.namespaceUuid}'`)).length
  await call('study/delete', { sid, uuid })
  expect(await count()).toBe(1)
  await call('study/revive', { sid, uuid })
  expect(await count()).toBe(2)
})

it('[ENTITY-11] keeps an act that the client reports, and a plain view once a session', async () => {
  const { sid, uuid } = await makePlace()
  const report = { sid, uuid, action: 'ACCEPTED_NOT_DIAGNOSTIC', detail: 'seen' }
  expect((await call('study/audit', report)).body).toEqual({ status: 'OK' })
  await call('study/audit', { sid, uuid, action: 'STUDY_VIEW' })
  await call('study/audit', { sid, uuid, action: 'STUDY_VIEW' })
  expect(await historyOf(sid, uuid)).toEqual(['STUDY_VIEW', 'ACCEPTED_NOT_DIAGNOSTIC'])
  expect((await call('study/audit', { sid, uuid, action: 'DELETE' })).body.error_type).toBe('INVALID_ACTION')
  expect((await call('study/audit', { sid, uuid })).body.error_type).toBe('MISSING_FIELDS')
  expect((await call('study/audit', { ...report, detail: 'x'.repeat(10_001) })).body.error_type).toBe('INVALID_FIELD')
})

it('[API-37] notes the moments of an upload, for who may see them', async () => {
  const { group, person, sid, study, uuid } = await makePlace('Administrator')
  const sent = { study_uid: study.study_uid, storage_namespace: group.namespaceUuid }
  expect((await call('study/timing/event', { sid, ...sent, event: 'upload_start' })).body).toEqual({ status: 'OK' })
  await call('study/timing/event', { sid, ...sent, event: 'upload_end', size: 12_000_000_000 })
  const log = (await call('study/timing/log', { sid, uuid })).body
  expect(log.events).toMatchObject([
    { event: 'upload_end', size: 12_000_000_000 },
    { event: 'upload_start', size: null },
  ])
  const viewer = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  expect((await call('study/timing/event', { sid: viewer.sid, ...sent, event: 'a' })).body.error_type).toBe(
    'NOT_PERMITTED',
  )
  expect((await call('study/timing/log', { sid: viewer.sid, uuid })).body.error_type).toBe('NOT_PERMITTED')
  expect((await call('study/timing/event', { sid, ...sent, event: 'a', size: 'much' })).body.error_type).toBe(
    'INVALID_INTEGER',
  )
  expect(person.userUuid).toBeTruthy()
})

it('[API-54] lists with whom a study is shared, by id or by name, without those that were stopped', async () => {
  const { group, person, sid, uuid } = await makePlace()
  const target = await organisation.addGroup({ name: 'Neurology' })
  await addShare(uuid, group.namespaceUuid, 'group', target.groupUuid)
  await addShare(uuid, group.namespaceUuid, 'user', person.userUuid)
  await addShare(uuid, group.namespaceUuid, 'account', accountUuid, 'stopped')
  expect((await call('study/share/list', { sid, uuid })).body).toEqual({
    status: 'OK',
    account_id: [],
    location_id: [],
    group_id: [target.groupUuid],
    user_id: [person.userUuid],
    user_invite_share_id: [],
  })
  expect((await call('study/share/list', { sid, uuid, name: 1 }, { method: 'GET' })).body).toMatchObject({
    group_id: [{ uuid: target.groupUuid, name: 'Neurology' }],
    user_id: [{ uuid: person.userUuid, name: person.name }],
  })
})

it.each<[string, object]>([
  ['study/star', { star: 1 }],
  ['study/delete', {}],
  ['study/revive', {}],
  ['study/share/list', {}],
  ['study/audit', { action: 'STUDY_VIEW', detail: 'x' }],
  ['study/timing/log', {}],
])('%s answers neither without a session nor for unknown and foreign studies', async (path, sent) => {
  const { uuid } = await makePlace()
  const stranger: Person = await (await makeOrganisation(services.db)).addPerson({ role: 'Administrator' })
  expect((await call(path, { ...sent, uuid })).status).toBe(401)
  for (const one of [uuid, randomUUID(), 'no uuid']) {
    expect((await call(path, { ...sent, sid: stranger.sid, uuid: one })).body.error_type).toBe('NOT_FOUND')
  }
})

async function addShare(study: string, from: string, kind: string, to: string, state = 'delivered') {
  await query(`insert into share (uuid, from_namespace, study_uuid, to_kind, to_uuid, state)
    values ('${randomUUID()}', '${from}', '${study}', '${kind}', '${to}', '${state}')`)
}
