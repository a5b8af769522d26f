import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import { makeOrganisation, makeSession, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { findCaller } from '../../access/find-caller.ts'
import { noteRefusal } from './note-refusal.command.ts'
import { sweepRefusals } from './sweep-refusals.job.ts'

const { services, call, query, app } = await startTestApp()
const north = await makeOrganisation(services.db, { name: 'North' })
const south = await makeOrganisation(services.db, { name: 'South' })
const administrator = await north.addPerson({ role: 'Administrator' })
const group = await north.addGroup()
const study = await makeStudy(services.db, { ...group, accountUuid: north.accountUuid })

const refusals = async (sid = administrator.sid, accountUuid = north.accountUuid) =>
  (await call('audit/refused', { sid, account_id: accountUuid }, { method: 'GET' })).body.refusals
const of = async (userUuid: string) => (await refusals()).filter((one: { user_id: string }) => one.user_id === userUuid)
const get = async (address: string, sid: string) =>
  (await app.inject({ url: address, headers: { authorization: `Bearer ${sid}` } })).statusCode

const secondsLeft = `select 3600 - extract(epoch from now() - date_trunc('hour', now()))::integer as seconds`
// a line counts one hour: none of these tests begins at the end of one
beforeEach(async () => {
  const isFarFromEnd = async () => ((await query<{ seconds: number }>(secondsLeft))[0]?.seconds ?? 0) > 30
  await vi.waitUntil(isFarFromEnd, { timeout: 60_000, interval: 500 })
})

it('puts foreign access by a call on record of the account whose study it is, with a count', async () => {
  const thief = await south.addPerson()
  for (let attempt = 0; attempt < 25; attempt++) await call('study/get', { sid: thief.sid, uuid: study.uuid })
  await expect.poll(async () => (await of(thief.userUuid))[0]?.count).toBe(25)
  const [line, ...more] = await of(thief.userUuid)
  expect(more).toEqual([])
  expect(line).toMatchObject({
    user_name: thief.name,
    act: 'study/get',
    kind: 'Study',
    last_object: study.uuid,
    client_address: expect.stringMatching(/./),
  })
  const audited = await query(`select type, detail, account_uuid from audit where action = 'ACCESS_REFUSED'
    and actor = '${thief.userUuid}'`)
  expect(audited).toEqual([{ type: 'Study', detail: { act: 'study/get' }, account_uuid: north.accountUuid }])
})

it.each([
  [
    'storage',
    () => `/api/v3/storage/study/${group.namespaceUuid}/${study.study_uid}/schema?phi_namespace=${group.namespaceUuid}`,
  ],
  ['dicomweb', () => `/dicomweb/${group.namespaceUuid}/studies/${study.study_uid}/metadata`],
])('puts foreign access by %s on record', async (act, address) => {
  const thief = await south.addPerson()
  expect([403, 404]).toContain(await get(address(), thief.sid))
  await expect.poll(() => of(thief.userUuid)).toMatchObject([{ act, kind: 'Study', count: 1, last_object: study.uuid }])
})

it('puts orders on record that are of no own group, or of another organisation', async () => {
  const [ofGroup, ofNoGroup] = [randomUUID(), randomUUID()]
  await query(`insert into imaging_order (account_uuid, uuid, namespace_uuid) values
    ('${north.accountUuid}', '${ofGroup}', '${group.namespaceUuid}'), ('${north.accountUuid}', '${ofNoGroup}', null)`)
  const thief = await south.addPerson({ role: 'Administrator' })
  await call('order/get', { sid: thief.sid, uuid: ofGroup })
  await call('order/get', { sid: thief.sid, uuid: ofNoGroup })
  const colleague = await north.addPerson({ role: 'Clinician', groups: [group] })
  expect((await call('order/get', { sid: colleague.sid, uuid: ofGroup })).body.status).toBe('OK')
  await call('order/get', { sid: colleague.sid, uuid: ofNoGroup })
  const line = { act: 'order/get', kind: 'Order' }
  await expect.poll(() => of(thief.userUuid)).toMatchObject([{ ...line, count: 2 }])
  await expect.poll(() => of(colleague.userUuid)).toMatchObject([{ ...line, count: 1, last_object: ofNoGroup }])
})

it('counts a colleague who may not, by each act and kind apart', async () => {
  const viewer = await north.addPerson({ role: 'Viewer', groups: [group] })
  await call('study/delete', { sid: viewer.sid, uuid: study.uuid })
  await call('study/set', { sid: viewer.sid, uuid: study.uuid, patientid: '77' })
  await call('audit/refused', { sid: viewer.sid, account_id: north.accountUuid })
  await expect
    .poll(async () => (await of(viewer.userUuid)).map((one: { act: string }) => one.act).toSorted())
    .toEqual(['audit/refused', 'study/delete', 'study/set'])
})

it.each(['the supporter', 'the person', 'a program of the person'])(
  '[PERM-02] tells a supporter who is signed in as a person, and a program, apart from the person, where %s is refused first',
  async (first) => {
    await query(`update account set support_until = now() + interval '1 hour' where uuid = '${north.accountUuid}'`)
    const supporter = await south.addPerson()
    await query(`update app_user set support = true where uuid = '${supporter.userUuid}'`)
    const person = await north.addPerson({ role: 'Viewer', groups: [group] })
    const asked = { account_id: north.accountUuid, user_id: person.userUuid, reason: 'Ticket 17' }
    const proxied = (await call('session/proxy', { sid: supporter.sid, ...asked })).body.sid
    const { body } = await call('session/key/add', { sid: person.sid, name: 'Feed', permissions: ['study_view'] })
    const tries = [
      { who: 'the supporter', sid: proxied, proxy: supporter.name, is_by_key: 0 },
      { who: 'the person', sid: person.sid, proxy: '', is_by_key: 0 },
      { who: 'a program of the person', sid: body.key, proxy: '', is_by_key: 1 },
    ].toSorted((one, other) => Number(other.who === first) - Number(one.who === first))
    for (const { sid } of tries) {
      const { error_type: fault } = (await call('study/delete', { sid, uuid: study.uuid })).body
      expect(fault).toBe('NOT_PERMITTED')
    }
    const line = (one: { proxy: string; is_by_key: number }) => `${one.proxy} ${one.is_by_key}`
    await expect.poll(async () => (await of(person.userUuid)).map(line).toSorted()).toEqual(tries.map(line).toSorted())
    expect((await of(person.userUuid)).map((one: { count: number }) => one.count)).toEqual([1, 1, 1])
    const audited = await query<{ proxy: string; actor_kind: string }>(`select proxy, actor_kind from audit
      where action = 'ACCESS_REFUSED' and actor = '${person.userUuid}' order by proxy, actor_kind`)
    expect(audited).toEqual([
      { proxy: '', actor_kind: 'key' },
      { proxy: '', actor_kind: 'user' },
      { proxy: supporter.name, actor_kind: 'user' },
    ])
    const found = { sid: administrator.sid, account_id: north.accountUuid, 'filter.asker.like': `%${supporter.name}%` }
    expect((await call('audit/refused', found)).body.refusals).toMatchObject([{ proxy: supporter.name }])
  },
)

it('writes nothing for what does not exist and for what is allowed', async () => {
  const person = await north.addPerson({ groups: [group] })
  await call('study/get', { sid: person.sid, uuid: person.userUuid.replace(/^./, 'f') })
  await call('study/get', { sid: person.sid, uuid: study.uuid })
  await get(`/dicomweb/${group.namespaceUuid}/studies/1.2.3.4/metadata`, person.sid)
  // a later refusal shows that the earlier ones have been looked at
  await call('study/delete', {
    sid: (await north.addPerson({ role: 'Viewer', groups: [group] })).sid,
    uuid: study.uuid,
  })
  expect(await of(person.userUuid)).toEqual([])
})

it('writes a flood as a few lines that count all of it', async () => {
  const thief = await south.addPerson()
  const caller = await findCaller(services.db, thief.sid, '203.0.113.9')
  if (!caller) throw new Error('The thief is not signed in')
  const attempt = { act: 'study/get', names: [study.uuid], isForbidden: false }
  for (let index = 0; index < 400; index++) noteRefusal(services, caller, attempt)
  await expect.poll(async () => (await of(thief.userUuid))[0]?.count).toBe(400)
  expect(await query(`select from audit where actor = '${thief.userUuid}' and action = 'ACCESS_REFUSED'`)).toHaveLength(
    1,
  )
})

/** A marker noted behind all earlier requests: once the marker stands there, each of them was looked at. */
async function noteLast(): Promise<void> {
  const last = await south.addPerson()
  await call('study/get', { sid: last.sid, uuid: study.uuid })
  await expect.poll(() => of(last.userUuid)).toHaveLength(1)
}
const withoutSession = async (address: string) =>
  (await refusals()).filter((one: { user_id: string; client_address: string }) => {
    return one.user_id === '' && one.client_address === address
  })
const storageAddress = () =>
  `/api/v3/storage/study/${group.namespaceUuid}/${study.study_uid}/schema?phi_namespace=${group.namespaceUuid}`
const dicomwebAddress = () => `/dicomweb/${group.namespaceUuid}/studies/${study.study_uid}/metadata`

it('counts requests without a session by address, door and hour, and leaves the audit alone', async () => {
  const address = '198.51.100.31'
  const audited = async () => (await query(`select from audit where action = 'ACCESS_REFUSED'`)).length
  const before = await audited()
  for (const sid of [undefined, 'made-up', 'made-up']) {
    await call('study/get', { ...(sid ? { sid } : {}), uuid: study.uuid }, { address })
    for (const url of [storageAddress(), dicomwebAddress()])
      await app.inject({ url, remoteAddress: address, ...(sid ? { headers: { authorization: `Bearer ${sid}` } } : {}) })
  }
  await call('bundle', {}, { body: [{ URL: '/study/delete', uuid: study.uuid }], address })
  await call('study/get', { uuid: '8d3f7d3e-5c02-4b1e-9f25-02b1d3e0a6c1' }, { address })
  await expect.poll(async () => (await withoutSession(address)).length).toBe(4)
  const lines = (await withoutSession(address)).map((one: Record<string, unknown>) => [one.act, one.kind, one.count])
  expect(lines.toSorted()).toEqual([
    ['dicomweb', 'Study', 3],
    ['storage', 'Study', 3],
    ['study/delete', 'Study', 1],
    ['study/get', 'Study', 3],
  ])
  expect(await audited()).toBe(before)
})

it('takes the addresses of one network for one, and all beyond a number for one line', async () => {
  const ask = (address: string) => call('study/get', { uuid: study.uuid }, { address })
  for (let host = 1; host <= 5; host++) await ask(`2001:db8:7:7::${host}`)
  await expect.poll(async () => (await withoutSession('2001:db8:7:7::5'))[0]?.count).toBe(5)
  const nameless = async () =>
    query<{ asker: string; count: number }>(`select asker, count from access_refusal
      where user_uuid is null and account_uuid = '${north.accountUuid}'`)
  for (let index = 0; index < 260; index++) await ask(`10.9.${index >> 8}.${index & 255}`)
  await expect
    .poll(async () => (await nameless()).find((one) => one.asker === '*')?.count ?? 0)
    .toBeGreaterThanOrEqual(60)
  expect((await nameless()).length).toBeLessThan(220)
  await query(`delete from access_refusal where user_uuid is null`)
})

it('takes no page that stayed open after its session for an attempt, but its sid from elsewhere', async () => {
  const person = await north.addPerson({ groups: [group] })
  const sid = await makeSession(services.db, person.userUuid)
  const address = '198.51.100.32'
  await query(`update session set expires_at = now() - interval '1 minute', client_address = '${address}'
    where user_uuid = '${person.userUuid}'`)
  await app.inject({ url: storageAddress(), remoteAddress: address, headers: { cookie: `hilum_sid=${sid}` } })
  await call('study/get', { sid, uuid: study.uuid }, { address })
  await noteLast()
  expect(await withoutSession(address)).toEqual([])
  await call('study/get', { sid, uuid: study.uuid }, { address: '198.51.100.33' })
  await expect.poll(async () => (await withoutSession('198.51.100.33')).length).toBe(1)
})

const underAll = [
  ['opening it', () => `/dicomweb/all/studies/${study.study_uid}/metadata`],
  ['listing its series', () => `/dicomweb/all/studies/${study.study_uid}/series`],
  ['searching for its UID', () => `/dicomweb/all/studies?StudyInstanceUID=${study.study_uid}`],
  ['searching for its tag among others', () => `/dicomweb/all/instances?0020000D=1.2.3,${study.study_uid}`],
] as const

it.each(underAll)('puts asking for a foreign study under all namespaces on record, by %s', async (_how, address) => {
  const thief = await south.addPerson()
  await get(address(), thief.sid)
  await expect.poll(() => of(thief.userUuid)).toMatchObject([{ act: 'dicomweb', kind: 'Study', count: 1 }])
})

it.each(underAll)('takes nobody for a thief who has a part in the study, by %s', async (_how, address) => {
  const member = await north.addPerson({ groups: [group] })
  await get(address(), member.sid)
  await noteLast()
  expect(await of(member.userUuid)).toEqual([])
})

it('takes a visible study for no refusal when what is asked for in it is not there', async () => {
  const member = await north.addPerson({ groups: [group] })
  const inStudy = `studies/${study.study_uid}/series/1.2.3/instances/1.2.3.4`
  for (const url of [
    `/dicomweb/${group.namespaceUuid}/${inStudy}/metadata`,
    `/dicomweb/all/${inStudy}/frames/1`,
    storageAddress().replace('schema', `attachment/${study.uuid}/version/${study.uuid}`),
    storageAddress().replace('schema', 'image/1.2.3.4/version/*/frame/0'),
  ])
    expect(await get(url, member.sid)).toBe(404)
  await noteLast()
  expect(await of(member.userUuid)).toEqual([])
})

it.each(['must_approve = true', 'deleted_at = now()'])('counts a study of the own group with %s', async (state) => {
  const hidden = await makeStudy(services.db, { ...group, accountUuid: north.accountUuid })
  await query(`update study set ${state} where uuid = '${hidden.uuid}'`)
  const viewer = await north.addPerson({ role: 'Viewer', groups: [group] })
  await get(`/dicomweb/${group.namespaceUuid}/studies/${hidden.study_uid}/metadata`, viewer.sid)
  await get(`/dicomweb/all/studies/${hidden.study_uid}/metadata`, viewer.sid)
  await expect.poll(() => of(viewer.userUuid)).toMatchObject([{ kind: 'Study', count: 2, last_object: hidden.uuid }])
})

it('finds by name and address, and says whether the person belongs to the account', async () => {
  const thief = await south.addPerson()
  const viewer = await north.addPerson({ role: 'Viewer', groups: [group] })
  for (const { sid } of [thief, viewer])
    await call('study/delete', { sid, uuid: study.uuid }, { address: '198.51.100.77' })
  await expect.poll(async () => (await of(thief.userUuid)).length + (await of(viewer.userUuid)).length).toBe(2)
  const find = async (text: string) =>
    (await call('audit/refused', { sid: administrator.sid, account_id: north.accountUuid, 'filter.asker.like': text }))
      .body.refusals
  const byAddress = await find('%51.100.77%')
  expect(byAddress).toMatchObject([
    { user_id: viewer.userUuid, is_member: 1 },
    { user_id: thief.userUuid, is_member: 0 },
  ])
  expect(await find(`%${viewer.name.toLowerCase()}%51.100.77`)).toEqual([byAddress[0]])
  expect(await find('nobody at all')).toEqual([])
})

it('is sorted by how often, by whom and by what, the latest first among alike', async () => {
  const [many, few] = [await south.addPerson(), await south.addPerson()]
  for (let time = 0; time < 3; time++) await call('study/get', { sid: many.sid, uuid: study.uuid })
  await expect.poll(async () => (await of(many.userUuid))[0]?.count).toBe(3)
  await call('study/get', { sid: few.sid, uuid: study.uuid })
  await expect.poll(async () => (await of(few.userUuid))[0]?.count).toBe(1)
  const ids = async (sort_by: string) => {
    const { body } = await call('audit/refused', { sid: administrator.sid, account_id: north.accountUuid, sort_by })
    const lines = body.refusals as { user_id: string; user_name: string; act: string; count: number }[]
    const ours = lines.map((one) => one.user_id).filter((id) => id === many.userUuid || id === few.userUuid)
    return { ours, lines }
  }
  expect((await ids('count-desc')).ours).toEqual([many.userUuid, few.userUuid])
  expect((await ids('count-asc')).ours).toEqual([few.userUuid, many.userUuid])
  expect((await ids('last-desc')).ours).toEqual([few.userUuid, many.userUuid])
  const acts = (await ids('act-asc')).lines.map(({ act }) => act)
  expect(acts).toEqual(acts.toSorted((one, other) => (one < other ? -1 : 1)))
})

it('is kept for 180 days', async () => {
  const old = async () => (await query(`select from access_refusal where act = 'old'`)).length
  const add = (days: number) =>
    query(`insert into access_refusal
      (account_uuid, user_uuid, asker, hour, act, kind, user_name, client_address, last_object, count)
    values ('${north.accountUuid}', null, '192.0.2.1', now() - interval '${days} days', 'old', 'Study', '', '192.0.2.1',
      '${study.uuid}', 1)`)
  await add(179)
  await add(181)
  await sweepRefusals(services)
  expect(await old()).toBe(1)
})

it('is shown to administrators of the account, and to nobody else', async () => {
  const clinician = await north.addPerson()
  const foreign = await south.addPerson({ role: 'Administrator' })
  const ask = (sid: string) => call('audit/refused', { sid, account_id: north.accountUuid })
  expect((await ask(administrator.sid)).status).toBe(200)
  expect((await ask(clinician.sid)).body.error_type).toBe('NOT_PERMITTED')
  expect((await ask(foreign.sid)).body.error_type).toBe('NOT_FOUND')
  expect(await refusals(foreign.sid, south.accountUuid)).toEqual([])
})
