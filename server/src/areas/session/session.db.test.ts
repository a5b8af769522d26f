import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation, makeSession, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db, { vanity: 'north.example, images.north.example' })
const group = await organisation.addGroup()
const stranger = await (await makeOrganisation(services.db)).addPerson()

it('[API-03][ENTITY-03] signs in by e-mail in any case, and sets a cookie that only the browser reads', async () => {
  const person = await organisation.addPerson()
  const reply = await call('session/login', { login: person.email.toUpperCase(), password: goodPassword, vanity: '' })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    status: 'OK',
    uuid: person.userUuid,
    name: person.name,
    training_todo: 0,
    pin_required: 0,
    is_proxy: 0,
    terms_md5: '',
    privacy_md5: '',
    indicator_md5: '',
  })
  expect(reply.cookie).toBe(`hilum_sid=${reply.body.sid}; Path=/; HttpOnly; SameSite=Strict`)
  expect((await call('session/user', { sid: reply.body.sid })).body.uuid).toBe(person.userUuid)
})

it('[API-01] [API-02] takes the sid in the query of a read and in the body of a write, as form or JSON', async () => {
  const { sid, userUuid } = await organisation.addPerson()
  const client = { 'sdk-client-name': 'USER', 'sdk-version': '3.22.4' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const replies = [
    await call('session/user', { sid }, { method: 'GET', headers: client }),
    await call('session/user', { sid }, { headers: client }),
    await call('session/user', {}, { body: `sid=${sid}`, headers: form }),
    await call('session/user', {}, { headers: { authorization: `Bearer ${sid}` } }),
  ]
  expect(replies.map(({ status, body }) => [status, body.uuid])).toEqual(replies.map(() => [200, userUuid]))
  expect((await call('bundle', {}, { body: [{ URL: '/session/user', sid }] })).body).toMatchObject([{ uuid: userUuid }])
  expect((await call('session/user', {}, { method: 'GET' })).status).toBe(401)
})

it('[AUTH-01] with a vanity takes the login that the account gave', async () => {
  const person = await organisation.addPerson({ login: 'Ada1' })
  const sent = { login: 'ada1', password: goodPassword }
  expect((await call('session/login', { ...sent, vanity: 'images.north.example' })).body.uuid).toBe(person.userUuid)
  expect((await call('session/login', { ...sent, vanity: 'south.example' })).body.error_type).toBe(
    'INVALID_CREDENTIALS',
  )
  const byEmail = { login: person.email, password: goodPassword, vanity: 'north.example' }
  expect((await call('session/login', byEmail)).body.uuid).toBe(person.userUuid)
})

it('[AUTH-02] names what is missing', async () => {
  const reply = await call('session/login', { vanity: '' })
  expect(reply).toMatchObject({
    status: 412,
    body: { status: 'ERROR', error_type: 'MISSING_FIELDS', error_subtype: ['login', 'password'] },
  })
})

it('does not take a password in an address', async () => {
  const reply = await call('session/login', { login: 'a', password: 'b' }, { method: 'GET' })
  expect(reply.status).toBe(405)
})

it('answers a wrong password, an unknown name and a disabled user with a wrong password alike', async () => {
  const person = await organisation.addPerson()
  const disabled = await organisation.addPerson()
  await query(`update app_user set disabled = true where uuid = '${disabled.userUuid}'`)
  const replies = await Promise.all(
    [person.email, disabled.email, 'nobody@hospital.example'].map((login) =>
      call('session/login', { login, password: 'wrong2026ok' }),
    ),
  )
  for (const reply of replies) {
    expect(reply.status).toBe(412)
    expect(reply.body).toEqual({ status: 'ERROR', error_type: 'INVALID_CREDENTIALS' })
  }
  const right = await call('session/login', { login: disabled.email, password: goodPassword })
  expect(right.body.error_type).toBe('DISABLED')
})

it.each(['known', 'unknown'])(
  'locks a name that is %s out after five failures, the right password too',
  async (kind) => {
    const login = kind === 'known' ? (await organisation.addPerson()).email : 'nobody-at-all@hospital.example'
    const attempt = (password: string) => call('session/login', { login, password })
    const answers: string[] = []
    for (let i = 0; i < 6; i++) answers.push((await attempt('wrong2026ok')).body.error_type)
    expect(answers).toEqual([...Array.from({ length: 5 }, () => 'INVALID_CREDENTIALS'), 'LOCKOUT'])
    expect((await attempt(goodPassword)).body.error_type).toBe('LOCKOUT')
    await query(`update attempt set window_start = window_start - interval '15 minutes'`)
    const later = await attempt(goodPassword)
    expect(later.body.error_type).toBe(kind === 'known' ? undefined : 'INVALID_CREDENTIALS')
  },
)

it('lets no more than five guesses through when many come at once', async () => {
  const { email } = await organisation.addPerson()
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => call('session/login', { login: email, password: 'wrong2026ok' })),
  )
  expect(replies.filter((reply) => reply.body.error_type === 'INVALID_CREDENTIALS')).toHaveLength(5)
})

it('stops an address that tries many names, and no other address', async () => {
  const address = '203.0.113.9'
  await query(`
    insert into attempt (kind, key_digest, window_start, count)
    values ('login-address', sha256('${address}'), now(), 100)
  `)
  const { email } = await organisation.addPerson()
  const sent = { login: email, password: goodPassword }
  expect((await call('session/login', sent, { address })).body.error_type).toBe('LOCKOUT')
  expect((await call('session/login', sent)).status).toBe(200)
})

it('[AUTH-11] with an expired password asks for a new one in the same call', async () => {
  const strict = await makeOrganisation(services.db)
  await query(`update account set password_expire_days = 90 where uuid = '${strict.accountUuid}'`)
  const { email, userUuid } = await strict.addPerson()
  await query(`update app_user set password_set_at = now() - interval '91 days' where uuid = '${userUuid}'`)
  const attempt = (new_password?: string) =>
    call('session/login', { login: email, password: goodPassword, new_password })
  expect((await attempt()).body.error_type).toBe('PASSWORD_RESET')
  expect((await attempt('short1')).body.error_type).toBe('BAD_PASSWORD')
  expect((await attempt(goodPassword)).body.error_type).toBe('BAD_PASSWORD')
  expect((await attempt('another2026ok')).status).toBe(200)
  expect((await call('session/login', { login: email, password: 'another2026ok' })).status).toBe(200)
})

it('keeps ten sessions of a user and drops the oldest', async () => {
  const { email, userUuid } = await organisation.addPerson()
  await query(`delete from session where user_uuid = '${userUuid}'`)
  const sids: string[] = []
  for (let i = 0; i < 11; i++)
    sids.push((await call('session/login', { login: email, password: goodPassword })).body.sid)
  const alive = await Promise.all(sids.map(async (sid) => (await call('session/user', { sid })).status))
  expect(alive).toEqual([401, ...Array.from({ length: 10 }, () => 200)])
})

it('[API-07][AUTH-12] ends the session and what is derived from it, and takes the cookie back', async () => {
  const person = await organisation.addPerson({ groups: [group] })
  const study = await makeStudy(services.db, { ...group, accountUuid: organisation.accountUuid })
  await call('setting/set', { sid: person.sid, key: 'temp_place', value: 'x' })
  await call('session/derive', { sid: person.sid, studies: [study.uuid] })
  const reply = await call('session/logout', {}, { method: 'GET', headers: { authorization: `Bearer ${person.sid}` } })
  expect(reply).toMatchObject({ status: 200, body: { status: 'OK' } })
  expect(reply.cookie).toContain('hilum_sid=; ')
  expect(reply.cookie).toContain('Max-Age=0')
  expect((await call('session/user', { sid: person.sid })).status).toBe(401)
  expect(await query(`select from session where user_uuid = '${person.userUuid}'`)).toEqual([])
  expect(await query(`select from setting where scope = 'session'`)).toEqual([])
})

it('puts sign-in, failure and sign-out on record, without what was typed', async () => {
  const person = await organisation.addPerson()
  await call('session/login', { login: person.email, password: 'wrong2026ok' })
  const { sid } = (await call('session/login', { login: person.email, password: goodPassword })).body
  await call('session/logout', { sid })
  await call('session/login', { login: 'MyPassword2026', password: 'wrong2026ok' })
  const rows = await query<{ action: string; account_uuid: string }>(
    `select action, account_uuid from audit where object_uuid = '${person.userUuid}' order by id`,
  )
  expect(rows.map((row) => row.action)).toEqual(['LOGIN_FAILED', 'LOGIN', 'LOGOUT'])
  expect(rows.every((row) => row.account_uuid === organisation.accountUuid)).toBe(true)
  const all = JSON.stringify(await query('select * from audit'))
  expect(all).not.toMatch(/mypassword|wrong2026ok|42lantern-boat/i)
  expect(all).not.toContain(sid)
})

it('[API-04][ENTITY-04] tells who the caller is', async () => {
  const person = await organisation.addPerson({ groups: [group] })
  await call('setting/set', { sid: person.sid, key: 'date_format', value: 'YYYY-MM-DD' })
  const { body } = await call(
    'session/user',
    { sid: person.sid, settings: '["date_format","nothing"]' },
    { method: 'GET' },
  )
  expect(body).toMatchObject({
    uuid: person.userUuid,
    name: person.name,
    email: person.email,
    namespace_id: person.namespaceUuid,
    home_account_id: organisation.accountUuid,
    sysadmin: 0,
    support: 0,
    training_todo: 0,
    is_proxy: 0,
    pin_required: 0,
    terms_md5: '',
    privacy_md5: '',
    indicator_md5: '',
    time_zone: '',
    session_expire: 180,
    sid_md5: createHash('md5').update(person.sid).digest('hex'),
    settings: { date_format: 'YYYY-MM-DD' },
  })
  expect(body.namespaces.map((one: { uuid: string }) => one.uuid).toSorted()).toEqual(
    [person.namespaceUuid, group.namespaceUuid, organisation.namespaceUuid].toSorted(),
  )
})

it('[API-06] gives the permission flags of an account or namespace at the top level', async () => {
  const person = await organisation.addPerson({ groups: [group] })
  const inGroup = await call('session/permissions', { sid: person.sid, namespace_id: group.namespaceUuid })
  expect(inGroup.body).toMatchObject({ status: 'OK', study_upload: 1, study_delete: 0 })
  expect(inGroup.body.role_id).toBe(organisation.roles.get('Clinician'))
  const own = await call('session/permissions', { sid: person.sid, namespace_id: person.namespaceUuid })
  expect(own.body).toMatchObject({ study_delete: 1, role_id: '' })
  const narrow = { sid: person.sid, account_id: organisation.accountUuid, 'fields._top': '["account_edit"]' }
  expect((await call('session/permissions', narrow)).body).toEqual({ status: 'OK', account_edit: 0 })
  expect((await call('session/permissions', { sid: person.sid })).body.error_type).toBe('MISSING_FIELDS')
  const foreign = { sid: stranger.sid, namespace_id: group.namespaceUuid }
  expect((await call('session/permissions', foreign)).body.error_type).toBe('NOT_FOUND')
})

it('[API-07][AUTH-15] tells the minutes left without extending them, and EXPIRED for a dead session', async () => {
  const person = await organisation.addPerson()
  const idle = (minutes: number) =>
    query(`update session set last_used = now() - interval '${minutes} minutes' where user_uuid = '${person.userUuid}'`)
  await idle(100)
  expect((await call('session/ttl', { sid: person.sid })).body).toEqual({ status: 'OK', ttl: 80 })
  expect((await call('session/user', { sid: person.sid })).status).toBe(200)
  expect((await call('session/ttl', { sid: person.sid })).body.ttl).toBe(80)
  await call('setting/get/all', { sid: person.sid })
  expect((await call('session/ttl', { sid: person.sid })).body.ttl).toBe(180)
  await idle(181)
  expect(await call('session/ttl', { sid: person.sid })).toMatchObject({
    status: 412,
    body: { status: 'ERROR', error_type: 'EXPIRED' },
  })
  expect((await call('setting/get/all', { sid: person.sid })).status).toBe(401)
  expect((await call('session/ttl')).body.error_type).toBe('MISSING_FIELDS')
})

it('makes a uuid for anybody', async () => {
  expect((await call('session/uuid', {}, { method: 'GET' })).body.uuid).toMatch(/^[0-9a-f-]{36}$/)
})

it('derives a session that opens no call, and only for studies that the caller may see', async () => {
  const person = await organisation.addPerson({ groups: [group] })
  const place = { ...group, accountUuid: organisation.accountUuid }
  const [study, waiting] = [
    await makeStudy(services.db, place),
    await makeStudy(services.db, place, { must_approve: true }),
  ]
  const derive = (sid: string, studies: unknown) => call('session/derive', { sid, studies })
  const { body } = await derive(person.sid, JSON.stringify([study.uuid]))
  expect(body).toMatchObject({
    status: 'OK',
    expires: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/),
  })
  expect((await call('session/user', { sid: body.sid })).status).toBe(401)
  expect((await call('study/get', { sid: body.sid, uuid: study.uuid })).status).toBe(401)
  expect((await derive(body.sid, [study.uuid])).status).toBe(401)
  for (const studies of [[waiting.uuid], [study.uuid, group.groupUuid], ['no-uuid']]) {
    expect((await derive(person.sid, studies)).body.error_type).toBe('NOT_FOUND')
  }
  expect((await derive(stranger.sid, [study.uuid])).body.error_type).toBe('NOT_FOUND')
  expect((await derive(person.sid, '{')).body.error_type).toBe('INVALID_JSON')
  const uploader = await organisation.addPerson({ role: 'Uploader', groups: [group] })
  expect((await derive(uploader.sid, [study.uuid])).body.error_type).toBe('NOT_PERMITTED')
})

it('ends at once when the user is disabled', async () => {
  const person = await organisation.addPerson()
  await query(`update app_user set disabled = true where uuid = '${person.userUuid}'`)
  expect((await call('session/user', { sid: person.sid })).status).toBe(401)
})

it('[API-36] works in a bundle, each item with its own sid and its status as text', async () => {
  const person = await organisation.addPerson()
  const other = await makeSession(services.db, stranger.userUuid)
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/session/user', sid: person.sid },
        { URL: '/session/user', sid: other },
        { URL: 'session/user' },
        { URL: '/session/ttl', sid: 'dead' },
        { URL: '/session/login', login: person.email, password: goodPassword },
      ],
    },
  )
  expect(body.map((item: { HTTP_STATUS_CODE: string }) => item.HTTP_STATUS_CODE)).toEqual([
    '200',
    '200',
    '401',
    '412',
    '200',
  ])
  expect(body[0].uuid).toBe(person.userUuid)
  expect(body[1].uuid).toBe(stranger.userUuid)
})
