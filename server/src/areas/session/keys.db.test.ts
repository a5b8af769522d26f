import type { AddressInfo } from 'node:net'
import { newUid } from '@hilum/dicom/uid'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { madeImage } from '../../../test/made-image.ts'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { digestOf } from '../../access/sid.ts'
import { verifyAudit } from '../audit/verify-audit.command.ts'
import { sealAudit } from '../audit/seal-audit.job.ts'

const { app, services, call, query } = await startTestApp()
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const organisation = await makeOrganisation(services.db)

async function makePlace() {
  const group = await organisation.addGroup()
  const person = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  return { person, namespace: group.namespaceUuid }
}
type Place = Awaited<ReturnType<typeof makePlace>>

async function addKey({ person }: Place, permissions: readonly string[], more: object = {}) {
  const { body } = await call('session/key/add', { sid: person.sid, name: 'Scanner', permissions, ...more })
  expect(body).toMatchObject({ status: 'OK' })
  return body as { uuid: string; key: string; expires: string }
}

const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const upload = async (place: Place, headers: Record<string, string>) => {
  const body = new Uint8Array(madeImage({ studyUid: newUid(), number: 1 }))
  return (await fetch(`${origin}/api/v3/storage/namespace/${place.namespace}/image`, { method: 'POST', headers, body }))
    .status
}
const search = async (place: Place, headers: Record<string, string>) =>
  (await fetch(`${origin}/dicomweb/${place.namespace}/studies`, { headers })).status
const ask = async (path: string, headers: Record<string, string>, sent: object = {}) => {
  const reply = await fetch(`${origin}/api/v3/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

test('a key opens every door as a bearer token and by HTTP basic, no further than its scope and its user’s rights', async () => {
  const place = await makePlace()
  const { key } = await addKey(place, ['study_upload'])
  for (const headers of [bearer(key), basic(place.person.email.toUpperCase(), key)]) {
    expect(await upload(place, headers)).toBe(202)
    // not in its scope, though its user may
    expect((await ask('study/list', headers, {})).body).toMatchObject({ status: 'OK', studies: [] })
    expect(await search(place, headers)).toBeGreaterThanOrEqual(400)
    expect((await ask('account/settings', headers, { uuid: organisation.accountUuid })).status).not.toBe(200)
  }
  expect((await ask('study/list', bearer(place.person.sid))).body.studies).toHaveLength(2)
  // the scope gives nothing that the role does not
  await query(`update group_user set role_uuid = (select uuid from role where account_uuid = '${organisation.accountUuid}' and name = 'Viewer')
    where user_uuid = '${place.person.userUuid}'`)
  expect(await upload(place, bearer(key))).toBeGreaterThanOrEqual(400)
})

test('a key for one place acts there and nowhere else, without its user’s rights in the account', async () => {
  const place = await makePlace()
  const { person } = place
  const other = await organisation.addGroup()
  await query(`insert into group_user (group_uuid, user_uuid) values ('${other.groupUuid}', '${person.userUuid}')`)
  const elsewhere = { person, namespace: other.namespaceUuid }
  const permissions = ['study_upload', 'study_view', 'account_edit', 'group_edit']
  const { key, uuid } = await addKey(place, permissions, { namespace_id: place.namespace })
  expect(await upload(elsewhere, bearer(person.sid))).toBe(202)
  expect(await upload(place, bearer(key))).toBe(202)
  expect(await upload(elsewhere, bearer(key))).toBe(403)
  expect(await search(elsewhere, bearer(key))).toBe(404)
  expect(await search(place, bearer(key))).toBe(200)
  expect((await ask('study/list', bearer(key))).body.studies).toHaveLength(1)
  const spaces = (await ask('session/user', bearer(key))).body.namespaces
  expect(spaces).toEqual([expect.objectContaining({ uuid: place.namespace })])
  const { accountUuid } = organisation
  for (const [name, sent] of [
    ['account/set', { uuid: accountUuid, name: 'Renamed' }],
    ['account/settings', { account_id: accountUuid }],
  ] as const)
    expect([name, (await ask(name, bearer(key), sent)).body.error_type]).toEqual([name, 'NOT_FOUND'])
  const { body } = await call('session/key/list', { sid: person.sid })
  expect(body.keys).toEqual([expect.objectContaining({ uuid, namespace_id: place.namespace })])
  expect(body.keys[0].namespace_name).not.toBe('')
  // the key ends with the place
  await query(`delete from group_user where group_uuid = (select owner_uuid from namespace where uuid = '${place.namespace}')
    and user_uuid = '${person.userUuid}'`)
  expect(await upload(place, bearer(key))).toBe(403)
  expect(await upload(elsewhere, bearer(key))).toBe(403)
})

test('no key is made for a place that is not its user’s', async () => {
  const [place, foreign] = [await makePlace(), await makePlace()]
  for (const namespace_id of [foreign.namespace, '3f2a5c60-8d1b-4e07-9a55-0c7d1e2f3a4b']) {
    const sent = { sid: place.person.sid, name: 'Scanner', permissions: ['study_view'], namespace_id }
    expect((await call('session/key/add', sent)).body).toMatchObject({ error_type: 'NAMESPACE_NOT_FOUND' })
  }
})

test('a key is told once and only its digest is stored', async () => {
  const place = await makePlace()
  const { uuid, key } = await addKey(place, ['study_view'], { days: 30 })
  const { body } = await call('session/key/list', { sid: place.person.sid })
  expect(body.keys).toEqual([
    expect.objectContaining({ uuid, name: 'Scanner', permissions: ['study_view'], last_used: '' }),
  ])
  expect(JSON.stringify(body)).not.toContain(key)
  const { rows } = await sql<{ text: string; digest: Buffer }>`
    select s::text as text, s.sid_digest as digest from session s where uuid = ${uuid}
  `.execute(services.db)
  expect(rows[0]?.text).not.toContain(key)
  expect(rows[0]?.digest).toEqual(digestOf(key))
  const audit = await query<{ text: string }>(`select a::text as text from audit a where object_uuid = '${uuid}'`)
  expect(audit).toHaveLength(1)
  expect(audit[0]?.text).not.toContain(key)
})

test('a key reads of its user and changes nothing: neither makes keys, nor signs in for others, nor ends sessions', async () => {
  const place = await makePlace()
  const { uuid, key } = await addKey(place, ['study_view', 'study_upload', 'account_edit'])
  const before = await query(`select uuid from session where user_uuid = '${place.person.userUuid}' order by uuid`)
  for (const [path, sent] of [
    ['session/key/add', { name: 'Another', permissions: ['study_view'] }],
    ['session/key/end', { uuid }],
    ['session/end', { others: 1 }],
    ['session/logout', {}],
    ['session/derive', { studies: [uuid] }],
    ['user/set', { first: 'Somebody' }],
  ] as const) {
    const { status, body } = await ask(path, bearer(key), sent)
    expect([path, status, body.error_type]).toEqual([path, 412, 'NOT_PERMITTED'])
  }
  expect((await ask('session/user', bearer(key))).body).toMatchObject({ uuid: place.person.userUuid })
  expect(await query(`select uuid from session where user_uuid = '${place.person.userUuid}' order by uuid`)).toEqual(
    before,
  )
})

test('keys are their owner’s alone, stand in no list of sessions, and ending all other sessions leaves them', async () => {
  const [place, other] = [await makePlace(), await makePlace()]
  const { uuid, key } = await addKey(place, ['study_view'])
  expect((await call('session/key/list', { sid: other.person.sid })).body.keys).toEqual([])
  expect((await call('session/key/end', { sid: other.person.sid, uuid })).body).toMatchObject({
    error_type: 'NOT_FOUND',
  })
  const { body } = await call('session/list', { sid: place.person.sid })
  expect(JSON.stringify(body)).not.toContain(uuid)
  await call('session/end', { sid: place.person.sid, others: 1 })
  for (let count = 0; count < 12; count += 1) {
    await call('session/login', { login: place.person.email, password: goodPassword })
  }
  expect((await ask('session/user', bearer(key))).status).toBe(200)
  // nor does somebody's login go with another's key
  expect((await ask('session/user', basic(other.person.email, key))).status).toBe(401)
})

test('a key ends at once when its owner ends it, and by itself with its time, its user and a new password', async () => {
  const place = await makePlace()
  const ended = await addKey(place, ['study_view'])
  expect((await call('session/key/end', { sid: place.person.sid, uuid: ended.uuid })).body).toEqual({ status: 'OK' })
  expect((await ask('session/user', bearer(ended.key))).status).toBe(401)
  const late = await addKey(place, ['study_view'])
  await query(`update session set expires_at = now() - interval '1 second' where uuid = '${late.uuid}'`)
  expect((await ask('session/user', bearer(late.key))).status).toBe(401)
  expect((await ask('session/user', basic(place.person.email, late.key))).status).toBe(401)
  const reset = await addKey(place, ['study_view'])
  await call('session/login', { login: place.person.email, password: goodPassword, new_password: 'other2027OK' })
  expect((await ask('session/user', bearer(reset.key))).status).toBe(401)
})

/** Every way in which a program asks, each by a key: whether it is let in. */
const doors: Record<string, (place: Place, key: string) => Promise<boolean>> = {
  'a call': async (_place, key) => (await ask('session/user', bearer(key))).status === 200,
  'a call with the sid': async (_place, key) => (await ask('session/user', {}, { sid: key })).status === 200,
  'a bundle': async (_place, key) => {
    const { body } = await ask('bundle', bearer(key), [{ URL: '/session/user' }, { URL: '/session/user', sid: key }])
    return (body as unknown as { HTTP_STATUS_CODE: string }[]).every((one) => one.HTTP_STATUS_CODE === '200')
  },
  'an upload': async (place, key) => (await upload(place, bearer(key))) === 202,
  'an upload with the sid': async (place, key) => {
    const body = new Uint8Array(madeImage({ studyUid: newUid(), number: 1 }))
    const address = `${origin}/api/v3/storage/namespace/${place.namespace}/image?sid=${key}`
    return (await fetch(address, { method: 'POST', body })).status === 202
  },
  DICOMweb: async (place, key) => (await search(place, bearer(key))) === 200,
  'DICOMweb by HTTP basic': async (place, key) => (await search(place, basic(place.person.email, key))) === 200,
  'the channel': async (place, key) => {
    const line = await listen(place, key)
    line.close()
    return line.said[0]?.status === 'OK'
  },
}

/** A line to the channel that has asked for the studies of a place, and was answered. */
async function listen(place: Place, key: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v3/channel/websocket`)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const said: Record<string, unknown>[] = []
  socket.addEventListener('message', ({ data }) => said.push(JSON.parse(String(data)) as Record<string, unknown>))
  socket.send(JSON.stringify({ action: 'subscribe', channel: `study.${place.namespace}`, sid: key }))
  await expect.poll(() => said.length).toBeGreaterThan(0)
  return { said, close: () => socket.close() }
}

test('[API-37] an ended key and one whose time is over open no door, and the line of an ended one is silent at once', async () => {
  const place = await makePlace()
  const scope = ['study_view', 'study_upload', 'channel_study']
  const [living, ended, late] = [await addKey(place, scope), await addKey(place, scope), await addKey(place, scope)]
  const opened = async ({ key }: { key: string }) =>
    Object.fromEntries(await Promise.all(Object.entries(doors).map(async ([name, by]) => [name, await by(place, key)])))
  const all = (isOpen: boolean) => Object.fromEntries(Object.keys(doors).map((name) => [name, isOpen]))
  for (const key of [living, ended, late]) expect(await opened(key)).toEqual(all(true))
  const [stays, ends] = [await listen(place, living.key), await listen(place, ended.key)]
  expect((await call('session/key/end', { sid: place.person.sid, uuid: ended.uuid })).body).toEqual({ status: 'OK' })
  await query(`update session set expires_at = now() where uuid = '${late.uuid}'`)
  for (const key of [ended, late]) expect(await opened(key)).toEqual(all(false))
  const refusal = { status: 'ERROR', error_type: 'NOT_PERMITTED', channel: `study.${place.namespace}` }
  await expect.poll(() => ends.said.at(-1)).toEqual(refusal)
  const heard = () => stays.said.filter((one) => one['event'] === 'STUDY').length
  const before = heard()
  // images come by the doors that stayed open
  expect(await opened(living)).toEqual(all(true))
  await expect.poll(heard).toBeGreaterThan(before)
  expect(ends.said.at(-1)).toEqual(refusal)
  stays.close()
  ends.close()
})

test.each([
  [{ name: ' ' }, 'INVALID_FIELD'],
  [{ name: 'x'.repeat(101) }, 'INVALID_FIELD'],
  [{ permissions: [] }, 'INVALID_FIELD'],
  [{ permissions: ['everything'] }, 'INVALID_FIELD'],
  [{ days: 0 }, 'INVALID_INTEGER'],
  [{ days: 367 }, 'INVALID_INTEGER'],
  [{ name: undefined }, 'MISSING_FIELDS'],
  [{ permissions: undefined }, 'MISSING_FIELDS'],
])('a key asked for with %j is refused as %s', async (changed, code) => {
  const place = await makePlace()
  const { sid } = place.person
  const { body } = await call('session/key/add', { sid, name: 'A', permissions: ['study_view'], ...changed })
  expect(body.error_type).toBe(code)
  expect((await call('session/key/list', { sid })).body.keys).toEqual([])
})

test('a person has twenty keys and no more, also when they are asked for at once', async () => {
  const place = await makePlace()
  const asked = await Promise.all(
    Array.from({ length: 24 }, () =>
      call('session/key/add', { sid: place.person.sid, name: 'A', permissions: ['study_view'] }),
    ),
  )
  const codes = asked.map(({ body }) => body.error_type ?? body.status)
  expect(codes.filter((one) => one === 'OK')).toHaveLength(20)
  expect(codes.filter((one) => one === 'TOO_MANY_KEYS')).toHaveLength(4)
})

test('login and password go by HTTP basic through every door; the session that stands for them is one', async () => {
  const place = await makePlace()
  const headers = basic(place.person.email, goodPassword)
  const statuses = await Promise.all([
    ...Array.from({ length: 6 }, () => ask('session/user', headers).then(({ status }) => status)),
    search(place, headers),
  ])
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await upload(place, headers)).toBe(202)
  const opened = `select from session where user_uuid = '${place.person.userUuid}' and method = 'basic'`
  expect(await query(opened)).toHaveLength(1)
  // a new password ends it, and the old one opens nothing any more
  await call('session/login', { login: place.person.email, password: goodPassword, new_password: 'other2027OK' })
  expect((await ask('session/user', headers)).status).toBe(401)
  expect((await ask('session/user', basic(place.person.email, 'other2027OK'))).status).toBe(200)
})

test('what is wrong by HTTP basic opens nothing, asks no browser for a password, and is locked out as at signing in', async () => {
  const place = await makePlace()
  const { email } = place.person
  for (const authorization of [
    'Basic',
    'Basic !!!',
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    `Basic ${Buffer.from(':password').toString('base64')}`,
    `Basic ${Buffer.from(`${email}:`).toString('base64')}`,
    `Basic ${'A'.repeat(4000)}`,
  ]) {
    const reply = await fetch(`${origin}/api/v3/session/user`, { headers: { authorization } })
    expect([authorization.slice(0, 20), reply.status]).toEqual([authorization.slice(0, 20), 401])
    expect(reply.headers.get('www-authenticate')).toBeNull()
  }
  for (let count = 0; count < 6; count += 1) {
    expect((await ask('session/user', basic(email, `wrong ${count}`))).status).toBe(401)
  }
  // five failures later the right one is not looked at either
  expect((await ask('session/user', basic(email, goodPassword))).status).toBe(401)
  expect((await call('session/login', { login: email, password: goodPassword })).body).toMatchObject({
    error_type: 'LOCKOUT',
  })
})

test('session/oauth/token gives a program a bearer token for as long as it asks, and tells of faults as the wire does', async () => {
  const place = await makePlace()
  const sent = { grant_type: 'client_credentials', client_id: place.person.email, client_secret: goodPassword }
  const { body } = await call('session/oauth/token', sent)
  expect(body).toMatchObject({
    status: 'OK',
    token_type: 'bearer',
    expires_in: 3600,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/),
  })
  expect(await upload(place, bearer(body.access_token as string))).toBe(202)
  for (const [duration, seconds] of [
    [600, 600],
    [1, 60],
    [999_999, 86_400],
  ]) {
    expect((await call('session/oauth/token', { ...sent, duration })).body).toMatchObject({ expires_in: seconds })
  }
  const [row] = await query<{ method: string; strength: string; minutes: number; is_proven: boolean }>(
    `select method, strength, round(extract(epoch from expires_at - created) / 60)::integer as minutes,
      proven_at > now() - interval '1 minute' as is_proven
    from session where sid_digest = decode('${digestOf(body.access_token as string).toString('hex')}', 'hex')`,
  )
  expect(row).toEqual({ method: 'oauth', strength: 'one factor', minutes: 60, is_proven: true })
  for (const [changed, code] of [
    [{ grant_type: 'password' }, 'AUTH_FAILED'],
    [{ client_id: 'nobody@hospital.example' }, 'AUTH_FAILED'],
    [{ client_secret: 'wrong' }, 'AUTH_FAILED'],
    [{ client_secret: undefined }, 'MISSING_FIELDS'],
    [{ duration: 'soon' }, 'INVALID_INTEGER'],
  ] as const) {
    expect((await call('session/oauth/token', { ...sent, ...changed })).body.error_type).toBe(code)
  }
  const get = await fetch(`${origin}/api/v3/session/oauth/token?grant_type=client_credentials`)
  expect(get.status).toBe(405)
})

test('the audit says whether a person, a program or the installation did it, and its seals cover that', async () => {
  const place = await makePlace()
  const { key } = await addKey(place, ['study_upload', 'study_edit', 'study_view'])
  await upload(place, bearer(place.person.sid))
  const [study] = await query<{ uuid: string }>(`select uuid from study where phi_namespace = '${place.namespace}'`)
  const set = (token: string, text: string) =>
    ask('study/set', bearer(token), { uuid: study?.uuid, study_description: text })
  expect((await set(place.person.sid, 'by a person')).body).toMatchObject({ status: 'OK' })
  expect((await set(key, 'by a program')).body).toMatchObject({ status: 'OK' })
  const rows = await query<{ actor: string; actor_kind: string }>(
    `select actor, actor_kind from audit where object_uuid = '${study?.uuid}' and action = 'EDIT' order by id`,
  )
  expect(rows).toEqual([
    { actor: place.person.userUuid, actor_kind: 'user' },
    { actor: place.person.userUuid, actor_kind: 'key' },
  ])
  await sealAudit(services, new Date())
  const faults = async () => {
    const told: string[] = []
    await verifyAudit(services.db, ({ kind }) => told.push(kind))
    return told
  }
  expect(await faults()).toEqual([])
  await query(`update audit set actor_kind = 'user' where object_uuid = '${study?.uuid}' and actor_kind = 'key'`)
  expect(await faults()).toEqual(['audit row changed'])
})
