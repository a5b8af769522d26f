import { expect, it } from 'vitest'
import { goodPassword, makeOrganisation } from '../../../test/make-organisation.ts'
import { idsOf, newEmail, newPassword, startPeople } from '../../../test/people-fixture.ts'

const people = await startPeople()
const { services, call, query, organisation, elsewhere, admin, accountUuid, roleOf, signIn } = people
const { add, set, get, remove, enable, tokenMailedTo, countMailsTo, resetWith } = people
const group = await organisation.addGroup({ name: 'Emergency' })
const otherGroup = await organisation.addGroup({ name: 'Oncology' })

it('[API-31][ENTITY-15][ADMIN-USERS-05] lists people by name, e-mail address, role and state', async () => {
  const place = await makeOrganisation(services.db)
  const reader = await place.addPerson({ role: 'Administrator' })
  const shown = await place.addPerson({ role: 'Viewer', email: 'zz-Listed@clinic.example' })
  const off = await place.addPerson({ role: 'Viewer' })
  await query(`update app_user set first_name = 'Zoë', last_name = 'Listed' where uuid = '${shown.userUuid}'`)
  await enable(off.userUuid, 1, reader.sid)
  const find = async (sent: object) =>
    (await call('account/user/list', { sid: reader.sid, uuid: place.accountUuid, ...sent })).body
  const { users, page } = await find({ 'filter.user.last.like': 'lIST%', 'page.rows': 10 })
  expect(page).toEqual({ more: 0, rows: 10, number: 1, total: 1 })
  expect(users).toEqual([
    {
      uuid: shown.userUuid,
      user_id: shown.userUuid,
      user_name: 'Zoë Listed',
      user_email: 'zz-Listed@clinic.example',
      first: 'Zoë',
      last: 'Listed',
      role_id: place.roles.get('Viewer'),
      role_name: 'Viewer',
      disabled: 0,
      account_login: '',
      last_login: null,
      customfields: [],
      is_above: 0,
    },
  ])
  const everybody = [reader, shown, off].map((one) => one.userUuid)
  const found = async (filter: object) => {
    const listed = idsOf((await find(filter)).users)
    return everybody.map((uuid) => listed.includes(uuid))
  }
  expect(await found({ 'filter.user.first.like': 'zoë%' })).toEqual([false, true, false])
  expect(await found({ 'filter.user_email.like': '%LISTED@%' })).toEqual([false, true, false])
  expect(await found({ 'filter.role_id.equals': place.roles.get('Viewer') })).toEqual([false, true, true])
  expect(await found({ 'filter.user_disabled.equals': 0 })).toEqual([true, true, false])
  expect(await found({ 'filter.user_disabled.equals': 1 })).toEqual([false, false, true])
})

it('[GRID-01][GRID-03][ENTITY-17] pages and sorts on the server, and says whether more follow', async () => {
  const place = await makeOrganisation(services.db)
  const reader = await place.addPerson({ role: 'Administrator' })
  for (const role of ['Viewer', 'Staff', 'Viewer', 'Uploader']) await place.addPerson({ role })
  await signIn(reader.email, goodPassword)
  const find = async (sent: object) =>
    (await call('account/user/list', { sid: reader.sid, uuid: place.accountUuid, ...sent })).body
  const sorted = async (sort_by: string) => idsOf((await find({ sort_by })).users)
  const all = await sorted('user_email-asc')
  expect(all).toHaveLength(5)
  expect((await find({ 'page.rows': 2 })).page).toMatchObject({ total: 5 })
  expect((await find({ 'page.rows': 2, 'filter.role_id.equals': place.roles.get('Viewer') })).page.total).toBe(2)
  for (const [number, more] of [1, 1, 0].entries()) {
    const { users, page } = await find({ sort_by: 'user_email-asc', 'page.rows': 2, 'page.number': number + 1 })
    expect([idsOf(users), page.more]).toEqual([all.slice(number * 2, number * 2 + 2), more])
  }
  expect(await sorted('user_email-desc')).toEqual(all.toReversed())
  expect((await sorted('last_login-desc'))[0]).toBe(reader.userUuid)
  const roleNames = (await find({ sort_by: 'role_name-desc' })).users.map((one: { role_name: string }) => one.role_name)
  expect(roleNames).toEqual(['Viewer', 'Viewer', 'Uploader', 'Staff', 'Administrator'])
})

it('[API-37] invites a person, who chooses a password by the mailed link and signs in', async () => {
  const email = newEmail()
  const groups = [{ uuid: group.groupUuid, role_id: roleOf('Viewer') }, { uuid: otherGroup.groupUuid }]
  const sent = { email: ` ${email} `, first: 'Nils', last: 'Brandt', role_id: roleOf('Staff'), groups }
  const { uuid, invited } = await add(sent)
  expect(invited).toBe(1)
  expect(await get(uuid)).toMatchObject({
    user_name: 'Nils Brandt',
    user_email: email,
    role_name: 'Staff',
    last_login: null,
    other_accounts: 0,
    groups: [
      { uuid: group.groupUuid, name: 'Emergency', role_id: roleOf('Viewer'), role_name: 'Viewer' },
      { uuid: otherGroup.groupUuid, name: 'Oncology', role_id: '', role_name: '' },
    ],
  })
  const token = await tokenMailedTo(email)
  const [kept] = await query<{
    days: number
  }>(`select round(extract(epoch from expires_at - now()) / 86400)::int as days
    from password_reset where user_uuid = '${uuid}'`)
  expect(kept?.days).toBe(7)
  expect(await resetWith(token)).toBe('OK')
  expect(await resetWith(token)).toBe('ERROR')
  const { sid } = await signIn(email, newPassword)
  const places = (await call('user/namespace/list', { sid, account_id: accountUuid })).body.namespaces
  expect(places.map((one: { name: string }) => one.name)).toContain('Emergency')
  const [record] = await query<{ detail: unknown }>(
    `select detail from audit where object_uuid = '${uuid}' and action = 'ADD'`,
  )
  expect(record?.detail).toEqual({ role_uuid: roleOf('Staff'), groups: [group.groupUuid, otherGroup.groupUuid] })
})

it('invites under the address alone, with a name and brackets around it', async () => {
  const email = newEmail()
  const { uuid } = await add({ email: `Berg, Ida <${email}>`, last: 'Berg' })
  expect(await get(uuid)).toMatchObject({ user_email: email })
})

it('gives a new person the default role of the account', async () => {
  const { uuid } = await add({ email: newEmail(), last: 'Berg' })
  expect(await get(uuid)).toMatchObject({ user_name: 'Berg', role_name: 'Clinician' })
})

it.each([
  [{ email: 'nobody' }, 'INVALID_EMAIL', undefined],
  [{ email: 'Ida Berg <ida@clinic>' }, 'INVALID_EMAIL', undefined],
  [{ email: `${'x'.repeat(250)}@clinic.example` }, 'INVALID_EMAIL', undefined],
  [{ email: undefined }, 'MISSING_FIELDS', ['email']],
  [{ first: '', last: ' ' }, 'USER_NOT_FOUND', undefined],
  [{ first: 'x'.repeat(101) }, 'INVALID_FIELD', 'first'],
  [{ last: 'Ber\u0007g' }, 'INVALID_FIELD', 'last'],
  [{ role_id: crypto.randomUUID() }, 'ROLE_NOT_FOUND', undefined],
  [{ groups: [{ uuid: crypto.randomUUID() }] }, 'NOT_FOUND', 'groups'],
  [{ groups: [{ uuid: 'no uuid' }] }, 'NOT_FOUND', 'groups'],
  [{ user_id: crypto.randomUUID(), email: undefined }, 'USER_NOT_FOUND', undefined],
  [{ user_id: crypto.randomUUID() }, 'INVALID_FIELD', 'user_id'],
])('refuses to invite with %j, and makes nobody', async (wrong, code, subtype) => {
  const before = await query('select count(*) from app_user')
  const email = newEmail()
  const body = await add({ email, first: 'Ada', last: 'Berg', ...wrong })
  expect([body.error_type, body.error_subtype]).toEqual([code, subtype])
  expect(await query('select count(*) from app_user')).toEqual(before)
  expect(await countMailsTo(email)).toBe(0)
})

it('refuses an e-mail address that somebody of the account has, in any case, also when both ask at once', async () => {
  const { email, userUuid } = await organisation.addPerson()
  const again = await add({ email: email.toUpperCase(), first: 'Ada', last: 'Berg' })
  expect([again.error_type, again.error_subtype]).toEqual(['ALREADY_EXISTS', userUuid])
  const fresh = newEmail()
  const both = await Promise.all([1, 2].map(() => add({ email: fresh, first: 'Ada', last: 'Berg' })))
  expect(both.map((one) => one.error_type ?? one.status).toSorted()).toEqual(['ALREADY_EXISTS', 'OK'])
  expect(await countMailsTo(fresh)).toBe(1)
})

it('takes in somebody who has a login elsewhere, and tells that person by mail', async () => {
  const known = await elsewhere.addPerson()
  const { uuid, invited } = await add({ email: known.email, first: 'Not', last: 'Used' })
  expect([uuid, invited]).toEqual([known.userUuid, 0])
  expect(await get(known.userUuid)).toMatchObject({ user_name: known.name, other_accounts: 1 })
  expect([await countMailsTo(known.email), await tokenMailedTo(known.email)]).toEqual([1, ''])
  for (const change of [{ first: 'Eve' }, { email: newEmail() }]) {
    const { error_type, error_subtype } = await set(known.userUuid, change)
    expect([error_type, error_subtype]).toEqual(['NOT_PERMITTED', 'OTHER_ACCOUNTS'])
  }
})

it('changes name, address, role and groups together, or nothing', async () => {
  const person = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  const email = newEmail()
  const good = { first: 'Ida', last: 'Holm', email, role_id: roleOf('Staff'), groups: [{ uuid: otherGroup.groupUuid }] }
  const before = await get(person.userUuid)
  expect((await set(person.userUuid, { ...good, groups: [{ uuid: crypto.randomUUID() }] })).error_type).toBe(
    'NOT_FOUND',
  )
  expect(await get(person.userUuid)).toEqual(before)
  expect((await set(person.userUuid, good)).status).toBe('OK')
  expect(await get(person.userUuid)).toMatchObject({
    user_name: 'Ida Holm',
    user_email: email,
    role_name: 'Staff',
    groups: [{ name: 'Oncology' }],
  })
  expect((await signIn(email, goodPassword)).status).toBe('OK')
  const [{ detail } = { detail: {} }] = await query<{ detail: object }>(
    `select detail from audit where object_uuid = '${person.userUuid}' and action = 'EDIT'`,
  )
  expect(detail).toMatchObject({
    email: [person.email, email],
    role_id: [roleOf('Viewer'), roleOf('Staff')],
    groups: [[group.groupUuid], [otherGroup.groupUuid]],
  })
})

it('refuses the e-mail address of somebody else', async () => {
  const [one, other] = [await organisation.addPerson(), await elsewhere.addPerson()]
  expect((await set(one.userUuid, { email: other.email.toUpperCase() })).error_type).toBe('DUPLICATE_EMAIL')
  expect((await set(one.userUuid, { email: one.email.toUpperCase() })).status).toBe('OK')
})

it('invites anew whoever has not signed in and gets another address; the old link ends', async () => {
  const [wrong, right] = [newEmail(), newEmail()]
  const { uuid } = await add({ email: wrong, first: 'Ada', last: 'Berg' })
  const old = await tokenMailedTo(wrong)
  await set(uuid, { email: right })
  expect(await resetWith(old)).toBe('ERROR')
  expect(await resetWith(await tokenMailedTo(right))).toBe('OK')
  await signIn(right, newPassword)
  const later = newEmail()
  await set(uuid, { email: later })
  expect(await countMailsTo(later)).toBe(0)
})

it('[API-32][API-37][ADMIN-USERS-07] disables a person at once, everywhere, and enables the person again', async () => {
  const person = await organisation.addPerson({ groups: [group] })
  expect((await enable(person.userUuid, 0)).error_type).toBe('NOT_DISABLED')
  expect((await enable(person.userUuid, 1)).status).toBe('OK')
  expect((await call('user/get', { sid: person.sid })).status).toBe(401)
  expect((await signIn(person.email, goodPassword)).error_type).toBe('DISABLED')
  expect((await get(person.userUuid)).disabled).toBe(1)
  expect((await enable(person.userUuid, 0)).status).toBe('OK')
  expect((await signIn(person.email, goodPassword)).status).toBe('OK')
  expect((await get(person.userUuid)).disabled).toBe(0)
})

it('disables a person of other accounts in one’s own alone', async () => {
  const person = await elsewhere.addPerson({ role: 'Viewer' })
  await add({ email: person.email })
  const places = async () => (await call('account/list', { sid: person.sid })).body.accounts.length
  expect(await places()).toBe(2)
  await enable(person.userUuid, 1)
  expect([await places(), (await get(person.userUuid)).disabled]).toEqual([1, 1])
  expect((await signIn(person.email, goodPassword)).status).toBe('OK')
  await enable(person.userUuid, 0)
  expect(await places()).toBe(2)
  // disabled altogether by somebody else: not to be undone by one of the accounts
  await query(`update app_user set disabled = true where uuid = '${person.userUuid}'`)
  expect((await enable(person.userUuid, 0)).error_subtype).toBe('OTHER_ACCOUNTS')
})

it('[API-33][API-37] takes a person out of the account and its groups, who cannot sign in any more and may come back', async () => {
  const person = await organisation.addPerson({ role: 'Viewer', groups: [group] })
  expect((await remove(person.userUuid)).status).toBe('OK')
  expect((await remove(person.userUuid)).error_type).toBe('USER_NOT_FOUND')
  expect((await call('user/get', { sid: person.sid })).status).toBe(401)
  expect((await signIn(person.email, goodPassword)).error_type).toBe('DISABLED')
  const elsewhereAdmin = await elsewhere.addPerson({ role: 'Administrator' })
  const taken = { sid: elsewhereAdmin.sid, uuid: elsewhere.accountUuid, email: person.email, first: 'Ada' }
  expect((await call('account/user/add', taken)).body.error_type).toBe('DUPLICATE_EMAIL')
  expect((await add({ email: person.email })).uuid).toBe(person.userUuid)
  expect(await get(person.userUuid)).toMatchObject({ disabled: 0, groups: [], role_name: 'Clinician' })
})

it('leaves somebody of two accounts signed in to the other', async () => {
  const person = await elsewhere.addPerson()
  await add({ email: person.email })
  await remove(person.userUuid)
  expect((await call('account/list', { sid: person.sid })).body.accounts).toMatchObject([
    { uuid: elsewhere.accountUuid },
  ])
})

it('[API-32][GRID-05] does many in one bundle; one that is refused stops none of the others', async () => {
  const several = [await organisation.addPerson(), admin, await organisation.addPerson()]
  const items = several.map(({ userUuid }) => ({ URL: '/user/enable', sid: admin.sid, uuid: userUuid, disable: 1 }))
  const { body } = await call('bundle', {}, { body: items })
  expect(body.map((one: { HTTP_STATUS_CODE: string }) => one.HTTP_STATUS_CODE)).toEqual(['200', '412', '200'])
})
