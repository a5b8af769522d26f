import { randomUUID } from 'node:crypto'
import { auditKinds } from '@hilum/contract/audit-acts'
import { type CallName, calls } from '@hilum/contract/calls/all-calls'
import { expect, it, vi } from 'vitest'
import { makeSamples, type Place } from '../../../test/call-samples.ts'
import { goodPassword, makeOrganisation, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/* The audit tells people, roles, groups and places by their names, also when they are gone. */

const app = await startTestApp()
const { services, call, query } = app
const samples = makeSamples(app, 'NAMES1')
const organisation = await makeOrganisation(services.db)
const { accountUuid, roles } = organisation
const group = await organisation.addGroup({ name: 'Emergency' })
const head = await organisation.addPerson({ role: 'Administrator', groups: [group] })

interface Told {
  action: string
  type: string
  object_name: string
  detail: Record<string, unknown>
  names: Record<string, string>
  study: object | null
}
const told = async (filter: object = {}): Promise<Told[]> =>
  (await call('audit/account', { sid: head.sid, account_id: accountUuid, 'page.rows': 1000, ...filter })).body.events

/** Details that the page tells people, roles and places by. */
const named = ['user_id', 'role_uuid', 'role_id', 'groups', 'locations'] as const
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

it('has a name for every person, role and place of every act of the walk', async () => {
  for (const name of Object.keys(calls) as CallName[]) {
    if (!/^(account|user|group|location|role)/.test(name) || /Delete|Set$/.test(name)) continue
    const study = await makeStudy(services.db, { ...group, accountUuid })
    const place: Place = { accountUuid, ...group, studyUuid: study.uuid, ownStudyUuid: study.uuid, person: head }
    await call(calls[name].path, { ...(await samples[name](place)), sid: head.sid })
  }
  const rows = await told()
  const ids = rows.flatMap(({ detail, names, action, type }) =>
    named.flatMap((field) =>
      [...JSON.stringify(detail[field] ?? '').matchAll(uuid)].map(([id]) => ({ action, type, field, is: names[id] })),
    ),
  )
  expect(ids.length).toBeGreaterThan(3)
  expect(ids.filter((one) => one.is === undefined)).toEqual([])
})

/** Kinds whose things have a name; of exams and orders the patient is told, and a title is in the row. */
const namedKinds = auditKinds.filter(
  (kind) => !['Study', 'Study_share', 'User_invite_share', 'Order', 'Audit', 'Title'].includes(kind),
)

it('says which thing was made, changed and deleted, whatever the kind', async () => {
  const elsewhere = await makeOrganisation(services.db)
  await query(`insert into account_connection (uuid, asking_account, asked_account) values
    (gen_random_uuid(), '${accountUuid}', '${elsewhere.accountUuid}')`)
  const leaver = await organisation.addPerson()
  await query(`insert into saved_search (uuid, name, type, configuration, owner_uuid, account_uuid)
    values (gen_random_uuid(), 'Chest', 'Study', '{}', '${leaver.userUuid}', '${accountUuid}')`)
  await call('account/user/delete', { sid: head.sid, uuid: accountUuid, user_id: leaver.userUuid })
  const left = { uuid: accountUuid, user_id: leaver.userUuid, kind: 'searches', end: 1 }
  await call('account/user/hand/over', { sid: head.sid, ...left })
  const request = { namespace_id: group.namespaceUuid, action: 'STUDY_UPLOAD', email: 'gp@practice.example' }
  expect((await call('link/add', { sid: head.sid, ...request })).body.status).toBe('OK')
  const changing =
    /^(route|destination|node|customfield|webhook|identityProvider|link|role|group|location|sessionKey|accountConnect|accountUser|webhookEvent|namespaceSettings).*(Add|Set|Delete|End|Move|Ask|Settings|Test|Event)$/
  for (const name of (Object.keys(calls) as CallName[]).filter((one) => changing.test(one))) {
    const study = await makeStudy(services.db, { ...group, accountUuid })
    const place: Place = { accountUuid, ...group, studyUuid: study.uuid, ownStudyUuid: study.uuid, person: head }
    await call(calls[name].path, { ...(await samples[name](place)), sid: head.sid })
  }
  const rows = (await told()).filter(({ type, study }) => (namedKinds as string[]).includes(type) && study === null)
  expect(rows.filter(({ object_name: name }) => name === '')).toEqual([])
  const kinds = new Set(rows.map(({ type }) => type))
  expect(namedKinds.filter((kind) => !kinds.has(kind))).toEqual([])
})

it.each([
  ['webhook', 'Arrivals', { event: 'STUDY_UPLOAD_END', url: 'https://his.example/in', method: 'POST' }],
  ['customfield', 'Ward', { object: 'Study', type: 'text' }],
] as const)('says which %s was changed, also once that is gone', async (kind, name, values) => {
  const { uuid } = (await call(`${kind}/add`, { sid: head.sid, account_id: accountUuid, name, ...values })).body
  const change = kind === 'webhook' ? { suspended: 1 } : { required: 1 }
  expect((await call(`${kind}/set`, { sid: head.sid, uuid, ...change })).body.status).toBe('OK')
  expect((await told())[0]).toMatchObject({ action: 'EDIT', object_name: name })
  expect((await call(`${kind}/delete`, { sid: head.sid, uuid })).body.status).toBe('OK')
  await query(`delete from ${kind} where uuid = '${uuid}'`)
  const rows = await told()
  expect(rows.slice(0, 2).map((one) => [one.action, one.object_name])).toEqual([
    ['DELETE', name],
    ['EDIT', name],
  ])
})

it('calls a role that is gone as it was called', async () => {
  const person = await organisation.addPerson()
  const [from, to] = ['Clinician', 'Night desk']
  const asked = { sid: head.sid, account_id: accountUuid }
  const made = (await call('role/add', { ...asked, name: to, permissions: { study_view: 1 } })).body.uuid
  const member = { sid: head.sid, uuid: accountUuid, user_id: person.userUuid }
  await call('account/user/set', { ...member, role_id: made })
  await call('account/user/set', { ...member, role_id: roles.get(from) })
  await call('role/delete', { sid: head.sid, uuid: made })
  const [back, forth] = await told({ 'filter.action.equals': 'EDIT', 'filter.type.equals': 'User' })
  const words = [forth, back].map((one) => ((one?.detail['role_id'] ?? []) as string[]).map((id) => one?.names[id]))
  expect(words).toEqual([
    [from, to],
    [to, from],
  ])
})

it.each(['account/user/delete', 'user/delete'])('calls a person who left by %s by name', async (path) => {
  const person = await organisation.addPerson({ role: 'Viewer' })
  await call('group/user/add', { sid: head.sid, uuid: group.groupUuid, user_id: person.userUuid })
  const isSelf = path === 'user/delete'
  if (isSelf) await call('session/prove', { sid: person.sid, password: goodPassword })
  const sent = isSelf ? { sid: person.sid } : { sid: head.sid, uuid: accountUuid, user_id: person.userUuid }
  expect((await call(path, sent)).body.status).toBe('OK')
  const [left] = await told({ 'filter.action.equals': 'DELETE', 'filter.type.equals': 'User' })
  const [joined] = await told({ 'filter.action.equals': 'ADD', 'filter.type.equals': 'Group_user' })
  expect([left?.object_name, left?.detail['name']]).toEqual([person.name, person.name])
  expect(joined?.names[person.userUuid]).toBe(person.name)
})

it('tells no name of another organisation', async () => {
  const elsewhere = await makeOrganisation(services.db)
  const foreign = await elsewhere.addPerson({ role: 'Viewer' })
  await query(`insert into audit (account_uuid, actor_kind, actor_name, action, type, detail)
    values ('${accountUuid}', 'system', '', 'EDIT', 'User', jsonb_build_object('user_id', '${foreign.userUuid}',
      'role_uuid', '${elsewhere.roles.get('Viewer')}', 'groups', '${elsewhere.namespaceUuid}'))`)
  expect((await told())[0]?.names).toEqual({})

  // things that are gone, of which the other organisation has the latest row
  const [gone, own] = [randomUUID(), randomUUID()]
  await query(`insert into audit (account_uuid, actor_kind, actor_name, action, type, object_uuid, detail) values
    ('${accountUuid}', 'system', '', 'DELETE', 'Role', '${own}', '{"name": "Own desk"}'),
    ('${elsewhere.accountUuid}', 'system', '', 'DELETE', 'Role', '${own}', '{"name": "Foreign desk"}'),
    ('${elsewhere.accountUuid}', 'system', '', 'DELETE', 'Role', '${gone}', '{"name": "Foreign desk"}'),
    ('${accountUuid}', 'system', '', 'EDIT', 'User', null, '{"role_id": ["${own}", "${gone}"]}')`)
  expect((await told())[0]?.names).toEqual({ [own]: 'Own desk' })
})

it('says at whom an act that was refused was aimed', async () => {
  const low = await organisation.addPerson({ role: 'Viewer' })
  await call('account/user/delete', { sid: low.sid, uuid: accountUuid, user_id: head.userUuid })
  await vi.waitFor(async () => {
    const [refused] = await told({ 'filter.action.equals': 'ACCESS_REFUSED' })
    expect(refused).toMatchObject({ type: 'User', object_name: head.name, detail: { act: 'account/user/delete' } })
  })
})
