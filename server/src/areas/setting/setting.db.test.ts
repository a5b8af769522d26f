import { expect, it } from 'vitest'
import { makeOrganisation, makeSession } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)

it('[API-05][API-35] keeps a setting with the user, and removes it by __DELETE__', async () => {
  const { sid, userUuid } = await organisation.addPerson()
  const other = await makeSession(services.db, userUuid)
  const read = async (sidOf: string) => (await call('setting/get', { sid: sidOf, key: 'rows' }, { method: 'GET' })).body
  expect(await read(sid)).toEqual({ status: 'OK', value: '' })
  expect((await call('setting/set', { sid, key: 'rows', value: '25' })).body).toEqual({ status: 'OK' })
  await call('setting/set', { sid, key: 'rows', value: '50' })
  expect(await read(other)).toEqual({ status: 'OK', value: '50' })
  expect((await call('setting/get/all', { sid }, { method: 'GET' })).body).toEqual({
    status: 'OK',
    settings: { rows: '50' },
  })
  await call('setting/set', { sid, key: 'rows', value: '__DELETE__' })
  expect((await call('setting/get/all', { sid })).body.settings).toEqual({})
})

it('keeps a temp_ setting with the session alone', async () => {
  const { sid, userUuid } = await organisation.addPerson()
  const other = await makeSession(services.db, userUuid)
  await call('setting/set', { sid, key: 'temp_place', value: 'here' })
  expect((await call('setting/get', { sid, key: 'temp_place' })).body.value).toBe('here')
  expect((await call('setting/get', { sid: other, key: 'temp_place' })).body.value).toBe('')
  expect((await call('setting/get/all', { sid })).body.settings).toEqual({})
})

it('belongs to one user', async () => {
  const [one, other] = [await organisation.addPerson(), await organisation.addPerson()]
  await call('setting/set', { sid: one.sid, key: 'rows', value: '25' })
  expect((await call('setting/get', { sid: other.sid, key: 'rows' })).body.value).toBe('')
})

it('takes the caller’s own user_id, and no other of whoever administers nobody', async () => {
  const [one, other] = [await organisation.addPerson(), await organisation.addPerson()]
  const own = { sid: one.sid, key: 'rows', user_id: one.userUuid }
  expect((await call('setting/set', { ...own, value: '25' })).status).toBe(200)
  expect((await call('setting/get', own)).body.value).toBe('25')
  for (const path of ['setting/set', 'setting/get']) {
    const { body } = await call(path, { ...own, value: '50', user_id: other.userUuid })
    expect(body).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'user_id' })
  }
  expect((await call('setting/get', { ...own, user_id: undefined })).body.value).toBe('25')
})

it('[API-37] is read and changed by whoever administers the person in all of the person’s accounts, on record', async () => {
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const person = await organisation.addPerson()
  const of = { sid: admin.sid, user_id: person.userUuid, key: 'rows' }
  const read = async (more: object = {}) => (await call('setting/get', { ...of, ...more })).body
  const put = async (more: object = {}) => (await call('setting/set', { ...of, value: '50', ...more })).body
  expect(await put()).toEqual({ status: 'OK' })
  expect(await read()).toEqual({ status: 'OK', value: '50' })
  expect((await call('setting/get/all', { sid: person.sid })).body.settings).toEqual({ rows: '50' })
  expect((await call('setting/get/all', { sid: admin.sid })).body.settings).toEqual({})
  const audit = await query(
    `select action, type, actor, detail from audit where object_uuid = '${person.userUuid}' and type = 'User' order by id`,
  )
  expect(audit).toEqual([{ action: 'EDIT', type: 'User', actor: admin.userUuid, detail: { setting: 'rows' } }])
  expect(await put({ value: '__DELETE__' })).toEqual({ status: 'OK' })
  expect((await read()).value).toBe('')
  // a session is its person's own
  for (const refused of [await put({ key: 'temp_rows' }), await read({ key: 'temp_rows' })])
    expect(refused).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'key' })

  // nobody changes what belongs to somebody who may do more; reading takes the right to see people
  const holder = async (permissions: string) => {
    const one = await organisation.addPerson()
    await query(`with made as (insert into role (uuid, account_uuid, name, permissions)
        values (gen_random_uuid(), '${organisation.accountUuid}', '${one.userUuid}', '{${permissions}}') returning uuid)
      update account_user set role_uuid = (select uuid from made) where user_uuid = '${one.userUuid}'`)
    return { sid: one.sid }
  }
  const [looker, editor] = [await holder('account_user_view'), await holder('account_user_edit')]
  expect(await read(looker)).toMatchObject({ status: 'OK' })
  expect(await put(looker)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'user_id' })
  expect(await put(editor)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'ROLE_ABOVE' })

  // an administrator of one of two accounts has no say in what holds in both
  const elsewhere = await makeOrganisation(services.db)
  const stranger = await elsewhere.addPerson({ role: 'Administrator' })
  for (const refused of [await put({ sid: stranger.sid }), await read({ sid: stranger.sid })])
    expect(refused).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'user_id' })
  await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${elsewhere.accountUuid}', '${person.userUuid}', '${elsewhere.roles.get('Viewer')}')`)
  for (const sid of [admin.sid, stranger.sid]) {
    for (const refused of [await put({ sid }), await read({ sid })])
      expect(refused).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'OTHER_ACCOUNTS' })
  }
  expect((await call('setting/get/all', { sid: person.sid })).body.settings).toEqual({})
})

it('refuses no session, no key, and what is too large', async () => {
  const { sid } = await organisation.addPerson()
  for (const path of ['setting/get', 'setting/set', 'setting/get/all']) {
    expect((await call(path, { key: 'a', value: 'b' })).status).toBe(401)
  }
  expect((await call('setting/get', { sid })).body).toMatchObject({
    error_type: 'MISSING_FIELDS',
    error_subtype: ['key'],
  })
  const large = [
    { key: 'a', value: 'x'.repeat(100_001) },
    { key: 'k'.repeat(201), value: 'x' },
  ]
  for (const sent of large) {
    expect((await call('setting/set', { sid, ...sent })).body.error_type).toBe('INVALID_SETTING_VALUE')
  }
})

it('refuses text with a NUL in words, wherever it stands', async () => {
  const { sid } = await organisation.addPerson()
  const asked = [
    call('setting/set', { sid, key: 'a', value: 'x\u0000' }),
    call('user/set', { sid, ui_json: '{"a":"\\u0000"}' }),
    call('account/list', { sid, 'filter.name.like': '\u0000' }),
    call('session/login', { login: '\u0000', password: 'x' }),
  ]
  for (const { status, body } of await Promise.all(asked)) {
    expect([status, body.error_type]).toEqual([412, 'INVALID_FIELD'])
  }
})

it('[API-36] works in a bundle', async () => {
  const { sid } = await organisation.addPerson()
  const { body } = await call(
    'bundle',
    {},
    {
      body: [
        { URL: '/setting/set', sid, key: 'rows', value: '25' },
        { URL: '/setting/get', sid, key: 'rows' },
        { URL: '/setting/get', key: 'rows' },
      ],
    },
  )
  expect(body).toMatchObject([
    { status: 'OK', HTTP_STATUS_CODE: '200' },
    { value: '25', HTTP_STATUS_CODE: '200' },
    { HTTP_STATUS_CODE: '401' },
  ])
})
