import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { goodPassword, makeOrganisation, makeSession, makeStudy } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { fillSecret } from '../mail/mail-label.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup({ name: 'Emergency' })
const elsewhere = await makeOrganisation(services.db)
const stranger = await elsewhere.addPerson()

const signIn = async (email: string, password: string) =>
  (await call('session/login', { login: email, password })).status

it('[API-21][ENTITY-13] reads and saves the profile, and leaves what is not sent', async () => {
  const { sid, userUuid, email } = await organisation.addPerson()
  const profile = {
    first: 'Zoë',
    last: 'Müller',
    time_zone: 'Europe/Berlin',
    share_code: 'ZOE1',
    mobile_phone: '+4930123456',
    share_description: 'For Zoë,\nwho reads it',
  }
  expect((await call('user/set', { sid, ...profile, ui_json: '{"a":1}' })).body.message).toBe(
    'Your profile has been saved.',
  )
  await call('user/set', { sid, mobile_phone: '' })
  const { body } = await call('user/get', { sid }, { method: 'GET' })
  expect(body).toMatchObject({
    ...profile,
    mobile_phone: '',
    uuid: userUuid,
    email,
    name: 'Zoë Müller',
    ui_json: { a: 1 },
  })
})

it('[API-21] takes a whole profile back as it was read, and changes no e-mail address', async () => {
  const { sid, email } = await organisation.addPerson()
  const own = { sid, account_id: organisation.accountUuid, email: email.toUpperCase() }
  const agreed = { terms_md5: 'a1', privacy_md5: 'b2', indicator_md5: 'c3' }
  expect((await call('user/set', { ...own, ...agreed })).status).toBe(200)
  expect((await call('user/get', { sid })).body).toMatchObject({ email, ...agreed })
  expect((await call('session/login', { login: email, password: goodPassword })).body).toMatchObject(agreed)
  const refused = await call('user/set', { sid, email: 'other@hospital.example', first: 'Eve' })
  expect(refused.body).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: 'email' })
  const foreign = await call('user/set', { sid, account_id: elsewhere.accountUuid, first: 'Eve' })
  expect(foreign.body).toMatchObject({ error_type: 'NOT_FOUND', error_subtype: 'account_id' })
  expect((await call('user/get', { sid })).body).toMatchObject({ email, first: 'Ada' })
})

it('[API-21][API-22] saves profile and password of one request together, or neither', async () => {
  const { sid, email } = await organisation.addPerson()
  const both = { sid, first: 'Zoë', old_password: 'wrong2026no', password: 'other2026ok' }
  expect((await call('user/set', both)).body.error_type).toBe('INVALID_PASSWORD')
  expect((await call('user/get', { sid })).body.first).toBe('Ada')
  expect((await call('user/set', { ...both, old_password: goodPassword })).status).toBe(200)
  expect([(await call('user/get', { sid })).body.first, await signIn(email, 'other2026ok')]).toEqual(['Zoë', 200])
})

it('[API-22] asks for the new password where only the old one is sent', async () => {
  const { sid } = await organisation.addPerson()
  const { body } = await call('user/set', { sid, old_password: goodPassword })
  expect(body).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['password'] })
})

it.each([
  [{ time_zone: 'Mars/Olympus' }, 'INVALID_TIME_ZONE', 'time_zone'],
  [{ mobile_phone: '030 123456' }, 'INVALID_FIELD', 'mobile_phone'],
  [{ mobile_phone: '+0123' }, 'INVALID_FIELD', 'mobile_phone'],
  [{ mobile_phone: '+1234567890123456' }, 'INVALID_FIELD', 'mobile_phone'],
  [{ first: 'x'.repeat(101) }, 'INVALID_FIELD', 'first'],
  [{ first: ' ' }, 'INVALID_FIELD', 'first'],
  [{ last: '\u00a0' }, 'INVALID_FIELD', 'last'],
  [{ first: 'Ada\u0007' }, 'INVALID_FIELD', 'first'],
  [{ last: 'Love\nlace' }, 'INVALID_FIELD', 'last'],
  [{ share_description: 'For \u001b[2J' }, 'INVALID_FIELD', 'share_description'],
  [{ ui_json: '{' }, 'INVALID_JSON', 'ui_json'],
])('[API-21] refuses %j', async (sent, code, field) => {
  const { sid } = await organisation.addPerson()
  expect((await call('user/set', { sid, ...sent })).body).toMatchObject({ error_type: code, error_subtype: field })
})

it('takes the profile of somebody with one name back, and empties none that is there', async () => {
  const { sid, userUuid } = await organisation.addPerson()
  await query(`update app_user set first_name = '', last_name = 'reader' where uuid = '${userUuid}'`)
  expect((await call('user/set', { sid, first: ' ', last: ' reader ' })).status).toBe(200)
  expect((await call('user/get', { sid })).body).toMatchObject({ first: '', last: 'reader', name: 'reader' })
  expect((await call('user/set', { sid, last: ' ' })).body).toMatchObject({ error_subtype: 'last' })
})

it('saves as many profiles at once as are sent: none waits for a connection while it holds one', async () => {
  const { sid } = await organisation.addPerson()
  const numbers = Array.from({ length: 12 }, (_, number) => number)
  const replies = await Promise.all(numbers.map((number) => call('user/set', { sid, first: `Ada ${number}` })))
  expect(replies.map(({ status }) => status)).toEqual(numbers.map(() => 200))
})

it('gives nobody the share code of a group or another user', async () => {
  const [one, other] = [await organisation.addPerson(), await organisation.addPerson()]
  await query(`update app_group set share_code = 'EMERG1' where uuid = '${group.groupUuid}'`)
  const set = async (sid: string, share_code: string) => (await call('user/set', { sid, share_code })).body
  const refused = { error_type: 'INVALID_FIELD', error_subtype: 'share_code' }
  for (const code of ['emerg1', ' EMERG1', 'EMERG1\u00a0']) expect(await set(one.sid, code)).toMatchObject(refused)
  const both = await Promise.all([set(one.sid, 'MINE'), set(other.sid, 'mine')])
  expect(both.map((body) => body.status).toSorted()).toEqual(['ERROR', 'OK'])
  const owner = both[0].status === 'OK' ? one : other
  expect(await set(owner.sid, 'Mine')).toMatchObject({ status: 'OK' })
})

it('tells of the share codes of others no more than ten times, taken or free, and answers unfit ones like taken ones', async () => {
  const [one, other] = [await organisation.addPerson(), await organisation.addPerson()]
  await query(`update app_user set share_code = 'TAKEN1' where uuid = '${other.userUuid}'`)
  const set = async (sid: string, share_code: string) =>
    (await call('user/set', { sid, share_code, first: 'Eve' })).body
  const [taken, unfit] = [await set(one.sid, 'taken1'), await set(one.sid, 'x'.repeat(101))]
  expect(taken).toEqual(unfit)
  for (let number = 1; number < 10; number++) {
    const code = number % 2 === 0 ? 'TAKEN1' : `FREE${number}`
    expect((await set(one.sid, code)).error_type).toBe(number % 2 === 0 ? 'INVALID_FIELD' : undefined)
  }
  for (const code of ['taken1', 'FREE77'])
    expect(await set(one.sid, code)).toMatchObject({ error_type: 'LOCKOUT', error_subtype: 'share_code' })
  // the profile as it is can still be saved, and others are not held back
  expect((await set(one.sid, 'free9')).status).toBe('OK')
  expect((await set(other.sid, 'FREE77')).status).toBe('OK')
  const { sid } = await organisation.addPerson()
  const many = await Promise.all(Array.from({ length: 30 }, (_, number) => set(sid, `EVE${number}`)))
  expect(many.filter(({ error_type }) => error_type === 'LOCKOUT')).toHaveLength(20)
})

it('takes renamed time zones and none at all', async () => {
  const { sid } = await organisation.addPerson()
  for (const time_zone of ['Asia/Kolkata', 'Asia/Calcutta', 'US/Eastern', 'UTC', '']) {
    expect((await call('user/set', { sid, time_zone })).status).toBe(200)
  }
})

it('user/set answers 405 to GET, 401 without a session, and knows no other user', async () => {
  const { sid } = await organisation.addPerson()
  expect((await call('user/set', { sid, first: 'A' }, { method: 'GET' })).status).toBe(405)
  expect((await call('user/set', { first: 'A' })).status).toBe(401)
  expect((await call('user/set', { sid, uuid: stranger.userUuid, first: 'A' })).body.error_type).toBe('NOT_FOUND')
})

it('[API-22][ENTITY-14] changes the password when the old one is right, and ends the other sessions', async () => {
  const { sid, email, userUuid, namespaceUuid } = await organisation.addPerson()
  const other = await makeSession(services.db, userUuid)
  const studies = [(await makeStudy(services.db, { namespaceUuid, accountUuid: organisation.accountUuid })).uuid]
  await call('session/derive', { sid, studies })
  await call('session/derive', { sid: other, studies })
  const change = (sent: object) => call('user/set', { sid, password: 'newer2026ok', ...sent })
  expect((await change({})).body).toMatchObject({ error_type: 'MISSING_FIELDS', error_subtype: ['old_password'] })
  expect((await change({ old_password: 'wrong2026ok' })).body.error_type).toBe('INVALID_PASSWORD')
  expect((await change({ old_password: goodPassword, password: 'nodigits' })).body.error_type).toBe('BAD_PASSWORD')
  const unlike = { old_password: goodPassword, password_confirm: 'newer2027ok' }
  expect((await change(unlike)).body).toMatchObject({ error_type: 'INVALID_FIELD', error_subtype: 'password_confirm' })
  const done = await change({ old_password: goodPassword, password_confirm: 'newer2026ok' })
  expect(done.body.message).toBe('Your password has been changed.')
  expect((await call('user/get', { sid })).status).toBe(200)
  expect((await call('user/get', { sid: other })).status).toBe(401)
  const left = `select parent_uuid is not null as derived from session where user_uuid = '${userUuid}' order by 1`
  expect(await query(left)).toEqual([{ derived: false }, { derived: true }])
  expect([await signIn(email, goodPassword), await signIn(email, 'newer2026ok')]).toEqual([412, 200])
})

it('takes none of the last three passwords', async () => {
  const { sid } = await organisation.addPerson({ password: 'first2026ok' })
  const change = async (old_password: string, password: string) =>
    (await call('user/set', { sid, old_password, password })).body.error_type
  expect(await change('first2026ok', 'second2026ok')).toBeUndefined()
  expect(await change('second2026ok', 'third2026ok')).toBeUndefined()
  expect(await change('third2026ok', 'first2026ok')).toBe('BAD_PASSWORD')
  expect(await change('third2026ok', 'third2026ok')).toBe('BAD_PASSWORD')
  expect(await change('third2026ok', 'fourth2026ok')).toBeUndefined()
  expect(await change('fourth2026ok', 'first2026ok')).toBeUndefined()
})

it('does not let a session guess the password', async () => {
  const { sid } = await organisation.addPerson()
  const change = async (old_password: string) =>
    (await call('user/set', { sid, old_password, password: 'newer2026ok' })).body.error_type
  for (let i = 0; i < 5; i++) expect(await change('wrong2026ok')).toBe('INVALID_PASSWORD')
  expect(await change(goodPassword)).toBe('LOCKOUT')
})

it('reads another user of an account with account_user_view only', async () => {
  const admin = await organisation.addPerson({ role: 'Administrator' })
  const { sid, userUuid } = await organisation.addPerson()
  const of = (sidOf: string, uuid: string, account_id?: string) => call('user/get', { sid: sidOf, uuid, account_id })
  expect((await of(admin.sid, userUuid, organisation.accountUuid)).body.uuid).toBe(userUuid)
  expect((await of(admin.sid, userUuid)).body.error_type).toBe('MISSING_FIELDS')
  expect((await of(sid, admin.userUuid, organisation.accountUuid)).body.error_type).toBe('NOT_PERMITTED')
  expect((await of(admin.sid, stranger.userUuid, organisation.accountUuid)).body.error_type).toBe('NOT_FOUND')
  expect((await of(stranger.sid, userUuid, organisation.accountUuid)).body.error_type).toBe('NOT_FOUND')
  expect((await call('user/get')).status).toBe(401)
})

/** Mails as their reader gets them. */
const mailsTo = async (email: string) => {
  const mails = await query<{ uuid: string; subject: string; body: string; sealed_secret: Buffer | null }>(
    `select * from mail where recipient = '${email}' order by created`,
  )
  return mails.map(({ uuid, subject, body, sealed_secret: sealed }) => ({
    subject,
    body: fillSecret(body, (sealed && services.sealer.open(sealed, uuid)) ?? ''),
  }))
}
const tokenIn = (body: string) => /\/reset-password\/(\S+)/.exec(body)?.[1] ?? ''

it('[API-08][AUTH-05][AUTH-06] mails a link that sets a new password, once', async () => {
  const { email, sid, name } = await organisation.addPerson()
  const reply = await call('user/password/lost', { email: email.toUpperCase() })
  expect(reply).toMatchObject({ status: 200, body: { status: 'OK' } })
  const [mail] = await mailsTo(email)
  expect(mail?.body).toContain('/reset-password/')
  expect(`${mail?.subject}${mail?.body}`).not.toMatch(new RegExp(`${name}|${email}`, 'i'))
  const token = tokenIn(mail?.body ?? '')
  expect(JSON.stringify(await query('select * from password_reset'))).not.toContain(token)
  const reset = (password: string) => call('user/password/reset', { token, password })
  // an address, with the new password in it, would stand in histories and logs
  expect((await call('user/password/reset', { token, password: 'newer2026ok' }, { method: 'GET' })).status).toBe(405)
  expect((await reset('bad')).body.error_type).toBe('BAD_PASSWORD')
  expect((await reset('newer2026ok')).status).toBe(200)
  expect((await reset('other2026ok')).body.error_type).toBe('INVALID_TOKEN')
  expect((await call('user/get', { sid })).status).toBe(401)
  expect([await signIn(email, goodPassword), await signIn(email, 'newer2026ok')]).toEqual([412, 200])
})

it('[AUTH-08] refuses a link that is out of date, superseded by a used one, or made up', async () => {
  const { email } = await organisation.addPerson()
  await call('user/password/lost', { email })
  await call('user/password/lost', { email })
  const [first, second] = (await mailsTo(email)).map((mail) => tokenIn(mail.body))
  const reset = async (token: string) =>
    (await call('user/password/reset', { token, password: 'newer2026ok' })).body.error_type
  expect(await reset(first ?? '')).toBeUndefined()
  expect(await reset(second ?? '')).toBe('INVALID_TOKEN')
  await call('user/password/lost', { email })
  await query(`update password_reset set expires_at = now() where used_at is null`)
  expect(await reset(tokenIn((await mailsTo(email)).at(-1)?.body ?? ''))).toBe('INVALID_TOKEN')
  expect(await reset('made-up')).toBe('INVALID_TOKEN')
})

it('[AUTH-08] tells beforehand whether a link works, without using it up', async () => {
  const { email } = await organisation.addPerson()
  await call('user/password/lost', { email })
  const token = tokenIn((await mailsTo(email))[0]?.body ?? '')
  const check = async (asked: string) => (await call('user/password/reset/check', { token: asked })).body
  expect(await check(token)).toEqual({ status: 'OK' })
  expect(await check(token)).toEqual({ status: 'OK' })
  expect(await check('made-up')).toEqual({ status: 'ERROR', error_type: 'INVALID_TOKEN' })
  expect((await call('user/password/reset', { token, password: 'newer2026ok' })).status).toBe(200)
  expect((await check(token)).error_type).toBe('INVALID_TOKEN')
  const missing = await call('user/password/reset/check')
  expect([missing.status, missing.body.error_type]).toEqual([412, 'MISSING_FIELDS'])
  const address = await call('user/password/reset/check', { token }, { method: 'GET' })
  expect(address.status).toBe(405)
})

it.each(['known', 'unknown'])('answers the same for an address that is %s, and locks out repeats', async (kind) => {
  const email = kind === 'known' ? (await organisation.addPerson()).email : 'nobody@hospital.example'
  const replies = []
  for (let i = 0; i < 4; i++) replies.push((await call('user/password/lost', { email })).body)
  const answer = { status: 'OK', has_smtp: 0 }
  expect(replies).toEqual([answer, answer, answer, { status: 'ERROR', error_type: 'LOCKOUT' }])
  expect(await mailsTo(email)).toHaveLength(kind === 'known' ? 3 : 0)
})

it('says to everybody alike whether a mail server is set up', async () => {
  Object.assign(services.config, { smtpUrl: 'smtp://127.0.0.1:1' })
  onTestFinished(() => void Object.assign(services.config, { smtpUrl: undefined }))
  const { email } = await organisation.addPerson()
  // a person who asked too often is told as others are
  for (const [at, asked] of [email, email, email, email, 'nobody@elsewhere.example'].entries()) {
    const address = `198.51.100.${at + 10}`
    expect((await call('user/password/lost', { email: asked }, { address })).body).toEqual({
      status: 'OK',
      has_smtp: 1,
    })
  }
})

it('does not mail a link to where the Host header says', async () => {
  const { email } = await organisation.addPerson()
  await call('user/password/lost', { email }, { headers: { host: 'evil.example' } })
  const [mail] = await mailsTo(email)
  expect(mail?.body).not.toContain('evil.example')
  expect(mail?.body).toContain('http://127.0.0.1:8470/reset-password/')
})

it('stops an address that tries many links', async () => {
  const address = '203.0.113.77'
  const reset = () => call('user/password/reset', { token: 'guess', password: 'newer2026ok' }, { address })
  const check = () => call('user/password/reset/check', { token: 'guess' }, { address })
  const answers = []
  for (let i = 0; i < 30; i++) answers.push((await (i % 2 ? reset() : check())).body.error_type)
  expect(new Set(answers)).toEqual(new Set(['INVALID_TOKEN']))
  expect([(await reset()).body.error_type, (await check()).body.error_type]).toEqual(['LOCKOUT', 'LOCKOUT'])
})

it('[API-11][ENTITY-05][ENTITY-06] lists the namespaces of an account with permissions and inbox configuration', async () => {
  const { sid, namespaceUuid, userUuid } = await organisation.addPerson({ groups: [group] })
  const place = { ...group, accountUuid: organisation.accountUuid }
  await makeStudy(services.db, place)
  await makeStudy(services.db, place, { must_approve: true })
  const list = (sent: object) => call('user/namespace/list', { sid, ...sent }, { method: 'GET' })
  const { body } = await list({ account_id: organisation.accountUuid, plus_phr: '1' })
  const kinds = body.namespaces.map((one: { type: string }) => one.type).toSorted()
  expect(kinds).toEqual(['account_id', 'group_id', 'user_id'])
  const inbox = body.namespaces.find((one: { uuid: string }) => one.uuid === group.namespaceUuid)
  expect(inbox).toMatchObject({
    name: 'Emergency',
    type_uuid: group.groupUuid,
    account_id: organisation.accountUuid,
    role_id: organisation.roles.get('Clinician'),
    permissions: { study_upload: 1, study_delete: 0 },
    settings: { inbox_config: { group_designation: 'CLOUD', active_study_filters: [], pacs_promote_groups: [] } },
    study_count: 1,
    thin_study_count: 0,
  })
  const own = body.namespaces.find((one: { uuid: string }) => one.uuid === namespaceUuid)
  expect(own).toMatchObject({ type_uuid: userUuid, permissions: { study_delete: 1 }, settings: {} })
  const without = await list({ account_id: organisation.accountUuid })
  expect(without.body.namespaces).toHaveLength(2)
  expect((await list({})).body.namespaces).toHaveLength(3)
  expect((await list({ account_id: elsewhere.accountUuid })).body.namespaces).toEqual([])
  const short = await list({ name_and_id_only: '1' })
  expect(short.body.namespaces).toContainEqual({ uuid: group.namespaceUuid, name: 'Emergency' })
  expect((await list({ plus_phr: 'maybe' })).body.error_type).toBe('INVALID_FLAG')
  expect((await call('user/namespace/list')).status).toBe(401)
})

it('leaves a broken inbox configuration out instead of failing', async () => {
  const broken = await organisation.addGroup()
  await query(`update setting set value = '{' where scope_uuid = '${broken.namespaceUuid}'`)
  const { sid } = await organisation.addPerson({ groups: [broken, group] })
  const { body } = await call('user/namespace/list', { sid })
  expect(body.namespaces.find((one: { uuid: string }) => one.uuid === broken.namespaceUuid).settings).toEqual({})
})

it('[API-36] reads and changes the profile in a bundle', async () => {
  const { sid } = await organisation.addPerson()
  const { body } = await call(
    'bundle',
    {},
    {
      body: [{ URL: '/user/set', sid, last: 'Bundled' }, { URL: '/user/get', sid }, { URL: '/user/namespace/list' }],
    },
  )
  expect(body.map((item: { HTTP_STATUS_CODE: string }) => item.HTTP_STATUS_CODE)).toEqual(['200', '200', '401'])
  expect(body[1].last).toBe('Bundled')
})

it('[PERM-17] sets what people are mailed of only in places that they belong to', async () => {
  const { sid } = await organisation.addPerson({ groups: [group] })
  const choose = async (namespace_id: string) =>
    (await call('user/event/set', { sid, namespace_id, event_share: 1 })).body
  expect(await choose(group.namespaceUuid)).toEqual({ status: 'OK' })
  const other = await organisation.addGroup({ name: 'Other' })
  expect(await choose(other.namespaceUuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  expect(await choose(stranger.namespaceUuid)).toMatchObject({ error_type: 'NOT_FOUND' })
  const kept = await query(
    `select count(*)::integer as count from event_choice where namespace_uuid = '${other.namespaceUuid}'`,
  )
  expect(kept).toEqual([{ count: 0 }])
})

it('[API-23] reads and writes by GET of what a place mails, with the codes of the wire', async () => {
  const { sid, userUuid } = await organisation.addPerson({ groups: [group] })
  const other = await organisation.addPerson()
  const chief = await organisation.addPerson({ role: 'Administrator', groups: [group] })
  const ask = async (path: string, sent: Record<string, unknown>) =>
    (await call(path, { sid, namespace_id: group.namespaceUuid, ...sent }, { method: 'GET' })).body
  expect(await ask('user/event/set', { event_share: '1', event_harvest: '0' })).toEqual({ status: 'OK' })
  expect(await ask('user/event', {})).toMatchObject({ event_share: 1, event_harvest: 0 })
  // a flag that is not sent stays
  expect(await ask('user/event/set', { event_harvest: '1' })).toEqual({ status: 'OK' })
  expect(await ask('user/event', {})).toMatchObject({ event_share: 1, event_harvest: 1 })
  expect(await ask('user/event/set', { event_share: '2' })).toMatchObject({ error_type: 'INVALID_FLAG' })
  for (const [path, flags] of [
    ['user/event', {}],
    ['user/event/set', { event_share: '1' }],
  ] as const) {
    expect(await ask(path, { ...flags, namespace_id: randomUUID() })).toMatchObject({ error_type: 'NOT_FOUND' })
    expect(await ask(path, { ...flags, uuid: chief.userUuid })).toMatchObject({ error_type: 'NOT_PERMITTED' })
    const asChief = { ...flags, sid: chief.sid, uuid: other.userUuid }
    expect(await ask(path, asChief)).toMatchObject({ error_type: 'NOT_MEMBER' })
    expect(await ask(path, { ...asChief, uuid: userUuid })).toMatchObject({ status: 'OK' })
  }
})
