import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

const { services, call, query } = await startTestApp()
const organisation = await makeOrganisation(services.db, { vanity: 'north.example' })
const { accountUuid: uuid } = organisation
const admin = await organisation.addPerson({ role: 'Administrator' })
const set = async (user_id: string, more: object, by = admin) =>
  (await call('account/user/set', { sid: by.sid, uuid, user_id, ...more })).body
const read = async (user_id: string) => (await call('account/user/get', { sid: admin.sid, uuid, user_id })).body
const signIn = async (login: string, more: object = {}) =>
  (await call('session/login', { login, password: goodPassword, ...more })).body

it('gives a person a login below the host name of the account, which no other person there has', async () => {
  const [one, other] = [await organisation.addPerson(), await organisation.addPerson()]
  expect(await set(one.userUuid, { account_login: ' Ada.L ' })).toMatchObject({ status: 'OK' })
  expect(await signIn('ada.l', { vanity: 'NORTH.example' })).toMatchObject({ uuid: one.userUuid })
  expect(await signIn('ada.l')).toMatchObject({ error_type: 'INVALID_CREDENTIALS' })
  expect(await set(other.userUuid, { account_login: 'ADA.L' })).toMatchObject({
    error_type: 'DUPLICATE_NAME',
    error_subtype: 'account_login',
  })
  expect(await set(other.userUuid, { account_login: 'two words' })).toMatchObject({ error_type: 'INVALID_FIELD' })
  await set(one.userUuid, { account_login: '' })
  expect(await set(other.userUuid, { account_login: 'ada.l' })).toMatchObject({ status: 'OK' })
})

it('gives nobody the address of somebody else as a login, and lets no such login shut anybody out', async () => {
  const elsewhere = await makeOrganisation(services.db)
  const victims = [await organisation.addPerson({ role: 'Administrator' }), await elsewhere.addPerson()]
  const taker = await organisation.addPerson()
  const refused = { error_type: 'INVALID_FIELD', error_subtype: 'account_login' }
  for (const { userUuid, email } of victims) {
    for (const account_login of [email.toUpperCase(), `nobody.${email}`])
      expect(await set(taker.userUuid, { account_login })).toMatchObject(refused)
    // as an earlier release gave it
    await query(`update account_user set account_login = '${email}', login_folded = lower('${email}')
      where user_uuid = '${taker.userUuid}'`)
    expect(await signIn(email, { vanity: 'north.example' })).toMatchObject({ uuid: userUuid })
  }
  expect(await set(taker.userUuid, { account_login: taker.email })).toMatchObject({ status: 'OK' })
  expect(await signIn(taker.email, { vanity: 'north.example' })).toMatchObject({ uuid: taker.userUuid })
})

it.each(['hospital.example', 'localhost', '127.0.0.1', 'own.example,Hospital.example'])(
  'leaves %s, by which people of all organisations come in, to the installation where there are several',
  async (vanity) => {
    const config = services.config as { publicUrl: string | undefined }
    const before = config.publicUrl
    config.publicUrl = 'https://hospital.example:8443/images'
    try {
      await makeOrganisation(services.db)
      const ask = async () => (await call('account/set', { sid: admin.sid, uuid, vanity })).body
      expect(await ask()).toMatchObject({ error_type: 'DUPLICATE_VANITY' })
      await query(`update app_user set sysadmin = true where uuid = '${admin.userUuid}'`)
      expect(await ask()).toMatchObject({ status: 'OK' })
      await query(`update app_user set sysadmin = false where uuid = '${admin.userUuid}'`)
      expect((await call('account/set', { sid: admin.sid, uuid, vanity: 'north.example' })).body.status).toBe('OK')
    } finally {
      config.publicUrl = before
    }
  },
)

it('leaves what holds at every sign-in of a person to the organisation in which the login was made, and tells it of sign-ins', async () => {
  const home = await makeOrganisation(services.db)
  const head = await home.addPerson({ role: 'Administrator' })
  const person = await home.addPerson()
  // the other organisation is the older one
  await query(`update account set created = now() - interval '1 year' where uuid = '${uuid}'`)
  const added = { sid: admin.sid, uuid, email: person.email, role_id: organisation.roles.get('Viewer') }
  const refused = { error_type: 'NOT_PERMITTED', error_subtype: 'OTHER_ACCOUNTS' }
  await query(`update app_user set address_unproven = false where uuid = '${person.userUuid}'`)
  expect((await call('account/user/add', { ...added, max_sessions: 1 })).body).toMatchObject(refused)
  expect((await call('account/user/add', added)).body).toMatchObject({ status: 'OK' })
  for (const more of [{ session_expire: 5 }, { max_sessions: 1 }, { password_reset: 1 }]) {
    expect(await set(person.userUuid, more)).toMatchObject(refused)
    const own = { sid: head.sid, uuid: home.accountUuid, user_id: person.userUuid }
    expect((await call('account/user/set', { ...own, ...more })).body).toMatchObject({ status: 'OK' })
    const [[name] = ['']] = Object.entries(more)
    expect((await call('account/user/set', { ...own, [name]: 0 })).body).toMatchObject({ status: 'OK' })
  }
  // as an earlier release let it be set
  await query(`update account_user set max_sessions = 1, session_expire_minutes = 5, password_reset = true
    where account_uuid = '${uuid}' and user_uuid = '${person.userUuid}'`)
  const [one, other] = [await signIn(person.email), await signIn(person.email)]
  expect((await call('session/user', { sid: one.sid })).body).toMatchObject({ status: 'OK' })
  const { body } = await call('session/user', { sid: other.sid })
  expect(body.session_expire).toBeGreaterThan(5)
  await signIn(person.email, { password: 'not this one' })
  const told = await query(`select account_uuid, action from audit
    where object_uuid = '${person.userUuid}' and action in ('LOGIN', 'LOGIN_FAILED') order by action`)
  expect(told).toEqual(['LOGIN', 'LOGIN', 'LOGIN_FAILED'].map((action) => ({ account_uuid: home.accountUuid, action })))
  // once the person belongs to that one no more, the other sets it
  await query(
    `delete from account_user where user_uuid = '${person.userUuid}' and account_uuid = '${home.accountUuid}'`,
  )
  expect(await set(person.userUuid, { max_sessions: 2 })).toMatchObject({ status: 'OK' })
})

it('leaves its own address to an organisation that is alone', async () => {
  const closed = `update account set closed_at = now() where uuid <> '${uuid}'`
  await query(closed)
  expect((await call('account/set', { sid: admin.sid, uuid, vanity: 'localhost' })).body.status).toBe('OK')
  expect((await call('account/set', { sid: admin.sid, uuid, vanity: 'north.example' })).body.status).toBe('OK')
  await query(`update account set closed_at = null`)
})

it('asks a person for a new password at the next sign-in, once', async () => {
  const { userUuid, email } = await organisation.addPerson()
  await set(userUuid, { password_reset: 1 })
  expect((await read(userUuid)).password_reset).toBe(1)
  expect(await signIn(email)).toMatchObject({ error_type: 'PASSWORD_RESET' })
  expect(await signIn(email, { new_password: 'cobalt93willow' })).toMatchObject({ status: 'OK' })
  expect((await read(userUuid)).password_reset).toBe(0)
  expect(await signIn(email, { password: 'cobalt93willow' })).toMatchObject({ status: 'OK' })
})

it('requires the second factor of one person, whom an administrator reads it of, and never of oneself', async () => {
  const { userUuid, email } = await organisation.addPerson()
  expect(await read(userUuid)).toMatchObject({ pin_demanded: 0, pin_required: 0 })
  expect(await set(userUuid, { pin_demanded: 1 })).toMatchObject({ status: 'OK' })
  // demanded is one thing, set up another
  expect(await read(userUuid)).toMatchObject({ pin_demanded: 1, pin_required: 0 })
  expect(await signIn(email)).toMatchObject({ pin_required: 1, pin_via: 'setup' })
  await call('user/set', { sid: admin.sid, uuid: userUuid, account_id: uuid, pin_required: 0 })
  expect(await read(userUuid)).toMatchObject({ pin_demanded: 0 })
  const rows = await query(`select detail from audit where object_uuid = '${userUuid}' order by id`)
  expect(rows).toEqual([{ detail: { pin_required: [0, 1] } }, { detail: { pin_required: [1, 0] } }])
  const itself = { error_type: 'NOT_PERMITTED', error_subtype: 'SELF' }
  expect(await set(admin.userUuid, { pin_demanded: 0 })).toMatchObject(itself)
})

it('ends a person’s oldest sessions beyond the number that the account leaves, and idle ones sooner', async () => {
  const { userUuid, email } = await organisation.addPerson()
  await query(`delete from session where user_uuid = '${userUuid}'`)
  await set(userUuid, { max_sessions: 2, session_expire: 10 })
  const sids = [await signIn(email), await signIn(email), await signIn(email)].map(({ sid }) => sid as string)
  const open = await Promise.all(sids.map(async (sid) => (await call('session/user', { sid })).status))
  expect(open).toEqual([401, 200, 200])
  expect((await call('session/user', { sid: sids[2] })).body.session_expire).toBe(10)
  await set(userUuid, { max_sessions: 0, session_expire: 0 })
  await signIn(email)
  expect((await call('session/user', { sid: sids[1] })).status).toBe(200)
})

it.each([
  ['session_expire', 4],
  ['session_expire', 181],
  ['session_expire', -1],
  ['max_sessions', 11],
])('refuses %s of %s, and changes nothing', async (field, value) => {
  const { userUuid } = await organisation.addPerson()
  const before = await read(userUuid)
  expect(await set(userUuid, { account_login: 'never', [field]: value })).toMatchObject({
    error_type: 'INVALID_INTEGER',
    error_subtype: field,
  })
  expect(await read(userUuid)).toEqual(before)
})

it('puts what changed on record, and takes the same fields when a person is added', async () => {
  const made = await call('account/user/add', {
    sid: admin.sid,
    uuid,
    email: 'new@hospital.example',
    first: 'New',
    account_login: 'newest',
    event_share: 1,
  })
  const { uuid: userUuid } = made.body
  expect(await read(userUuid)).toMatchObject({ account_login: 'newest', event_share: 1, event_harvest: 0 })
  await set(userUuid, { max_sessions: 1, event_share: 0 })
  const rows = await query<{ detail: object }>(
    `select detail from audit where object_uuid = '${userUuid}' and type = 'User' order by id`,
  )
  expect(rows.map(({ detail }) => detail)).toMatchObject([
    { account_login: ['', 'newest'], event_share: [null, 1] },
    { max_sessions: [0, 1], event_share: [1, 0] },
  ])
})

it('tells and changes what another person is mailed of only with the permission, of the account’s own people', async () => {
  const group = await organisation.addGroup()
  const [one, other] = [
    await organisation.addPerson({ groups: [group] }),
    await organisation.addPerson({ groups: [group] }),
  ]
  const elsewhere = await organisation.addPerson()
  const place = { namespace_id: group.namespaceUuid }
  const ask = async (path: string, sid: string, more: object) => (await call(path, { sid, ...place, ...more })).body
  const change = { uuid: other.userUuid, event_share: 1 }
  for (const [path, permission, sent] of [
    ['user/event', 'user_view_others_notifications', { uuid: other.userUuid }],
    ['user/event/set', 'user_modify_others_notifications', change],
  ] as const) {
    expect(await ask(path, one.sid, sent)).toMatchObject({ error_type: 'NOT_PERMITTED' })
    await query(`update role set permissions = array_append(permissions, '${permission}')
      where uuid = '${organisation.roles.get('Clinician')}'`)
  }
  expect(await ask('user/event', one.sid, { uuid: other.userUuid })).toMatchObject({ event_share: 0 })
  expect(await ask('user/event/set', one.sid, change)).toMatchObject({ status: 'OK' })
  expect(await ask('user/event', other.sid, {})).toMatchObject({ event_share: 1 })
  for (const path of ['user/event', 'user/event/set']) {
    expect(await ask(path, one.sid, { uuid: elsewhere.userUuid })).toMatchObject({ error_type: 'NOT_MEMBER' })
  }
})
