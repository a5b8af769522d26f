import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { newEmail, newPassword, startPeople } from '../../../test/people-fixture.ts'

const people = await startPeople()
const { services, call, query, organisation, elsewhere, admin, accountUuid, roleOf, signIn } = people
const { tokenMailedTo, countMailsTo, resetWith, addHolder } = people
const account_id = accountUuid
const ask = async (path: string, sent: object = {}, sid = admin.sid) => (await call(path, { sid, ...sent })).body
const given = 'cobalt93willow'
const auditOf = async (uuid: string) =>
  (await query<{ action: string }>(`select action from audit where object_uuid = '${uuid}' order by id`)).map(
    ({ action }) => action,
  )
const uuidOfEmail = async (email: string) =>
  (await query<{ uuid: string }>(`select uuid from app_user where email = '${email}'`))[0]?.uuid ?? ''

const login = (more: object = {}) => ({
  account_id,
  first: 'Ada',
  last: 'Given',
  password: given,
  email: newEmail(),
  mobile_phone: '',
  ...more,
})

it('[API-37] user/add makes a login that opens nothing before the account takes the person in, and then asks for a new password', async () => {
  const sent = login({ mobile_phone: '+431234567' })
  const made = await ask('user/add', sent)
  expect(made).toMatchObject({ status: 'OK', uuid: expect.any(String), namespace_id: expect.any(String) })
  expect(await ask('user/add', sent)).toMatchObject({ error_type: 'DUPLICATE_EMAIL' })
  expect(await signIn(sent.email, given)).toMatchObject({ error_type: 'DISABLED' })
  expect(await ask('account/user/get', { uuid: account_id, user_id: made.uuid })).toMatchObject({
    error_type: 'USER_NOT_FOUND',
  })
  // no other account takes the person in by the uuid or the address
  const stranger = await elsewhere.addPerson({ role: 'Administrator' })
  const there = { uuid: elsewhere.accountUuid, role_id: elsewhere.roles.get('Viewer') }
  expect(await ask('account/user/add', { ...there, user_id: made.uuid }, stranger.sid)).toMatchObject({
    error_type: 'USER_NOT_FOUND',
  })
  expect(await ask('account/user/add', { ...there, email: sent.email }, stranger.sid)).toMatchObject({
    error_type: 'DUPLICATE_EMAIL',
  })

  const joined = { uuid: account_id, user_id: made.uuid, role_id: roleOf('Viewer'), password_reset: 0 }
  expect(await ask('account/user/add', joined)).toMatchObject({ status: 'OK', uuid: made.uuid })
  expect(await auditOf(made.uuid)).toEqual(['CREATE', 'LOGIN_FAILED', 'ADD'])
  // whoever gave the password cannot go on with it, also where no new one was asked for
  await ask('account/user/set', { uuid: account_id, user_id: made.uuid, password_reset: 0 })
  expect(await signIn(sent.email, given)).toMatchObject({ error_type: 'PASSWORD_RESET' })
  const basic = `Basic ${Buffer.from(`${sent.email}:${given}`).toString('base64')}`
  expect((await call('session/user', {}, { headers: { authorization: basic } })).status).toBe(401)
  const program = { grant_type: 'client_credentials', client_id: sent.email, client_secret: given }
  expect((await call('session/oauth/token', program)).body.error_type).toBe('AUTH_FAILED')
  const { body } = await call('session/login', { login: sent.email, password: given, new_password: newPassword })
  expect(body).toMatchObject({ status: 'OK', uuid: made.uuid })
  expect(await signIn(sent.email, newPassword)).toMatchObject({ status: 'OK' })
  expect((await ask('user/get', {}, body.sid)).mobile_phone).toBe('+431234567')
})

it('user/add refuses a weak password, a wrong address, names that are none, and whoever may not', async () => {
  for (const [more, code] of [
    [{ password: 'short' }, 'BAD_PASSWORD'],
    [{ password: 'ada-given-2026' }, 'BAD_PASSWORD'],
    [{ email: 'nowhere' }, 'INVALID_EMAIL'],
    [{ first: 'x'.repeat(1000) }, 'INVALID_FIELD'],
    [{ mobile_phone: 'call me' }, 'INVALID_FIELD'],
    [{ last: '' }, 'MISSING_FIELDS'],
    [{ account_id: elsewhere.accountUuid }, 'NOT_FOUND'],
  ] as const)
    expect([more, (await ask('user/add', login(more))).error_type]).toEqual([more, code])
  const { sid } = await addHolder(['account_user_view'])
  expect(await ask('user/add', login(), sid)).toMatchObject({ error_type: 'NOT_PERMITTED' })
})

it('[API-37] user/invite brings in a new person by mail, with role, groups and locations', async () => {
  const group = await organisation.addGroup({ name: 'Invited to' })
  const { uuid: location } = await ask('location/add', { account_id, name: 'Invited branch' })
  const email = newEmail()
  const { uuid, status } = await ask('user/invite', {
    account_id,
    email: `Ida Holm <${email}>`,
    role_id: roleOf('Viewer'),
    groups: JSON.stringify({ [group.groupUuid]: roleOf('Staff') }),
    locations: { [location]: '' },
    link: '',
  })
  expect(status).toBe('OK')
  expect(await ask('account/user/get', { uuid: account_id, user_id: uuid })).toMatchObject({
    user_name: email.split('@')[0],
    role_name: 'Viewer',
    groups: [{ uuid: group.groupUuid, role_name: 'Staff' }],
    locations: [{ uuid: location }],
  })
  expect(await resetWith(await tokenMailedTo(email))).toBe('OK')
  expect(await signIn(email, newPassword)).toMatchObject({ status: 'OK', uuid })
  expect(await ask('user/invite', { account_id, email })).toMatchObject({
    error_type: 'ALREADY_EXISTS',
    error_subtype: uuid,
  })
})

it('user/invite gives no more than its sender holds, and leads nobody elsewhere', async () => {
  const invite = (more: object, sid?: string) => ask('user/invite', { account_id, email: newEmail(), ...more }, sid)
  for (const name of ['groups', 'locations']) {
    for (const list of ['[]', [], '"words"'])
      expect(await invite({ [name]: list })).toMatchObject({ error_type: 'NOT_HASH', error_subtype: name })
    expect(await invite({ [name]: '{' })).toMatchObject({ error_type: 'INVALID_JSON', error_subtype: name })
  }
  for (const name of ['link', 'link_already']) {
    for (const link of ['https://elsewhere.example/', 'javascript:alert(1)', 'nothing'])
      expect(await invite({ [name]: link })).toMatchObject({ error_type: 'INVALID_LINK', error_subtype: name })
    expect(await invite({ role_id: roleOf('Viewer'), [name]: 'http://localhost:80/joined' })).toMatchObject({
      status: 'OK',
    })
  }
  expect(await invite({ email: 'nowhere' })).toMatchObject({ error_type: 'INVALID_EMAIL' })
  expect(await invite({ groups: '[' })).toMatchObject({ error_type: 'INVALID_JSON' })
  const { sid } = await addHolder(['account_user_invite'])
  expect(await invite({ role_id: roleOf('Administrator') }, sid)).toMatchObject({ error_type: 'CAN_NOT_PROMOTE' })
  for (const places of ['groups', 'locations'])
    expect(await invite({ [places]: {} }, sid)).toMatchObject({ error_type: 'NOT_PERMITTED', error_subtype: places })
  const nothing = await people.addRole([])
  expect(await invite({ role_id: nothing }, sid)).toMatchObject({ status: 'OK' })
  const { sid: viewer } = await addHolder(['account_user_view'])
  expect(await invite({ role_id: nothing }, viewer)).toMatchObject({ error_type: 'NOT_PERMITTED' })
})

it('[API-37] user/welcome mails once more: the link to choose a password, or to whoever has one the address', async () => {
  const email = newEmail()
  await ask('user/invite', { account_id, email, role_id: roleOf('Viewer') })
  const first = await tokenMailedTo(email)
  expect(await ask('user/welcome', { account_id, email: email.toUpperCase() })).toMatchObject({ status: 'OK' })
  const second = await tokenMailedTo(email)
  expect(second).not.toBe(first)
  expect(await resetWith(first)).not.toBe('OK')
  expect(await resetWith(second)).toBe('OK')
  await signIn(email, newPassword)
  expect(await ask('user/welcome', { account_id, email })).toMatchObject({ status: 'OK' })
  expect(await tokenMailedTo(email)).toBe('')
  expect(await countMailsTo(email)).toBe(3)
  expect(await ask('user/welcome', { account_id, email })).toMatchObject({ status: 'OK' })
  expect(await ask('user/welcome', { account_id, email })).toMatchObject({ error_type: 'LOCKOUT' })
  expect(await countMailsTo(email)).toBe(4)
  const stranger = await elsewhere.addPerson()
  for (const unknown of [stranger.email, 'nobody@clinic.example'])
    expect(await ask('user/welcome', { account_id, email: unknown })).toEqual({
      status: 'ERROR',
      error_type: 'NOT_FOUND',
      error_subtype: 'email',
    })
  expect(await ask('user/welcome', { account_id, email, link: 'https://elsewhere.example' })).toMatchObject({
    error_type: 'INVALID_LINK',
  })
  const uuid = await uuidOfEmail(email)
  await people.enable(uuid, 1)
  expect(await ask('user/welcome', { account_id, email })).toMatchObject({ error_type: 'DISABLED' })
})

it('[API-37] user/delete takes the caller out of every account, after a proof, and leaves no account without an administrator', async () => {
  const person = await organisation.addPerson({ role: 'Viewer' })
  await query(`insert into account_user (account_uuid, user_uuid, role_uuid)
    values ('${elsewhere.accountUuid}', '${person.userUuid}', '${elsewhere.roles.get('Viewer')}')`)
  await query(`update session set proven_at = now() - interval '1 hour' where user_uuid = '${person.userUuid}'`)
  expect(await ask('user/delete', {}, person.sid)).toMatchObject({ error_type: 'PROOF_REQUIRED' })
  const { sid } = await signIn(person.email, goodPassword)
  const { key } = await ask('session/key/add', { name: 'Scanner', permissions: ['study_view'] }, sid)
  expect(await ask('user/delete', {}, key)).toMatchObject({ error_type: 'NOT_PERMITTED' })
  expect(await ask('user/delete', { email: admin.email }, sid)).toMatchObject({ error_type: 'INVALID_EMAIL' })
  expect(await ask('user/delete', { email: person.email.toUpperCase() }, sid)).toEqual({ status: 'OK' })
  for (const token of [sid, person.sid, key]) expect((await call('session/user', { sid: token })).status).toBe(401)
  expect(await signIn(person.email, goodPassword)).toMatchObject({ error_type: 'DISABLED' })
  expect(await query(`select from account_user where user_uuid = '${person.userUuid}'`)).toEqual([])
  const rows = await query(
    `select account_uuid, actor from audit where object_uuid = '${person.userUuid}' and action = 'DELETE' order by id`,
  )
  expect(rows).toHaveLength(2)
  expect(rows).toEqual(
    expect.arrayContaining(
      [accountUuid, elsewhere.accountUuid].map((account_uuid) => ({ account_uuid, actor: person.userUuid })),
    ),
  )

  const place = await makeOrganisation(services.db)
  const last = await place.addPerson({ role: 'Administrator' })
  const signedIn = await signIn(last.email, goodPassword)
  expect(await ask('user/delete', {}, signedIn.sid)).toMatchObject({
    error_type: 'NOT_PERMITTED',
    error_subtype: 'LAST_ADMINISTRATOR',
  })
  expect((await call('session/user', { sid: signedIn.sid })).status).toBe(200)
})

it('[API-37] user/device/clear forgets the devices of the caller, and of nobody else', async () => {
  const [one, other] = [await organisation.addPerson(), await organisation.addPerson()]
  for (const { userUuid } of [one, one, other])
    await query(`insert into remembered_device (uuid, digest, user_uuid, client_address, user_agent, expires_at)
      values (gen_random_uuid(), decode(md5(random()::text), 'hex'), '${userUuid}', '', '', now() + interval '1 day')`)
  expect(await ask('user/device/clear', {}, one.sid)).toEqual({ status: 'OK' })
  expect(await ask('user/device/clear', {}, one.sid)).toEqual({ status: 'OK' })
  const left = await query(`select user_uuid from remembered_device`)
  expect(left).toEqual([{ user_uuid: other.userUuid }])
  expect(await auditOf(one.userUuid)).toEqual(['EDIT'])
})
